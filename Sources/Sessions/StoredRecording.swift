import Recording
import Repository
import TachogramCore

/// The result of storing a recording.
package struct StoredRecording {
  /// The beats that a recording shares with another session, or that only the other session has.
  package struct Overlap: Encodable {
    package let session: String
    /// The number of beats.
    package let beats: Int

    package init(session: String, beats: Int) {
      (self.session, self.beats) = (session, beats)
    }
  }

  /// The stored session that contains the recording.
  package let session: SessionRecord
  /// Whether the recording was already stored, from any source.
  package let wasKnown: Bool
  /// The number of its beats that the session lacks.
  package var lacking = 0
  /// The time in seconds by which the recording is later in the file than in the session, or than in the replaced one, if
  /// clocks cannot explain it; else 0.
  package var startsLaterBySeconds = 0.0
  /// The identifiers of less precise or shorter copies that were deleted in favour of the recording.
  package var replaced: [String] = []
  /// The deleted copies with beats that the recording lacks, and the number of these beats.
  package var lost: [Overlap] = []
  /// The sessions that share beats with the recording and are kept.
  package var overlapping: [Overlap] = []

  package init(_ session: SessionRecord, wasKnown: Bool) {
    (self.session, self.wasKnown) = (session, wasKnown)
  }

  package init(_ session: SessionRecord, verdict: CopyVerdict) {
    self.session = session
    if case .stored(_, let lacking) = verdict.outcome {
      (wasKnown, self.lacking) = (true, lacking)
    } else {
      wasKnown = false
    }
    add(verdict)
  }

  /// Adds the effect on other sessions.
  package mutating func add(_ verdict: CopyVerdict) {
    startsLaterBySeconds = Double(verdict.offset) / 1e6
    replaced = verdict.replacedIDs
    lost = verdict.replaced.filter { $0.lost > 0 }.map { Overlap(session: $0.session.description.id, beats: $0.lost) }
    overlapping = verdict.overlapping.map { Overlap(session: $0.session.description.id, beats: $0.beats) }
  }

  /// Readable text without a full stop, or `nil` if there is nothing to report.
  package var note: String? {
    guard wasKnown else { return addition }
    let stored = "already stored as session \(Self.short(session.description.id))"
    return addition.map { "\(stored); \($0)" } ?? stored
  }

  /// The note in a form that follows a text about the stored session.
  package var addition: String? {
    var notes: [String] = []
    if startsLaterBySeconds != 0 {
      let seconds = Int(abs(startsLaterBySeconds).rounded())
      notes.append(
        "the same beats, though it has them \(seconds) s \(startsLaterBySeconds > 0 ? "later" : "earlier") than "
          + (wasKnown ? "that session" : "the copy"))
    }
    if lacking > 0 { notes.append("\(lacking) beats of it are not in that session") }
    if !replaced.isEmpty {
      let copies = replaced.map(Self.short).joined(separator: ", ")
      notes.append("stored in the place of copies of the same recording that are less precise or shorter (\(copies))")
    }
    for loss in lost { notes.append("\(loss.beats) beats of \(Self.short(loss.session)) are not in it") }
    for overlap in overlapping {
      notes.append(
        "\(overlap.beats) beats are also in session \(Self.short(overlap.session)), so they count twice until one of the "
          + "two is deleted")
    }
    return notes.isEmpty ? nil : notes.joined(separator: "; ")
  }

  private static func short(_ id: String) -> String { String(id.prefix(8)) }
}

extension SessionRepository {
  /// Fills in the missing person and label of a stored session, unless it is being recorded.
  package func complete(_ record: SessionRecord, from session: SessionDescription) throws(RepositoryError) {
    guard record.isComplete || record.description.origin != .live else { return }
    let person = record.description.person == nil ? session.person : nil
    let label = record.description.label == nil ? session.label : nil
    if person != nil || label != nil { try merge([], into: record.description.id, person: person, label: label) }
  }
}
