import Recording
import Repository
import TachogramCore

/// What became of a recording that was to be stored.
package struct StoredRecording {
  /// Beats that another session has, too, or alone.
  package struct Overlap: Encodable {
    package let session: String
    /// How many.
    package let beats: Int

    package init(session: String, beats: Int) {
      (self.session, self.beats) = (session, beats)
    }
  }

  /// The stored session that holds it.
  package let session: SessionRecord
  /// Whether it was stored before, whatever it was stored from.
  package let wasKnown: Bool
  /// Beats of it that this session lacks.
  package var lacking = 0
  /// By how much the file has it later than the session, or than what it replaces, in seconds, where no clock explains it;
  /// else 0.
  package var startsLaterBySeconds = 0.0
  /// Identifiers of copies, less precise or shorter, that were deleted for it.
  package var replaced: [String] = []
  /// Of these, those with beats that it lacks, and how many.
  package var lost: [Overlap] = []
  /// Sessions that share beats with it and stay.
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

  /// Adds what became of other sessions.
  package mutating func add(_ verdict: CopyVerdict) {
    startsLaterBySeconds = Double(verdict.offset) / 1e6
    replaced = verdict.replacedIDs
    lost = verdict.replaced.filter { $0.lost > 0 }.map { Overlap(session: $0.session.description.id, beats: $0.lost) }
    overlapping = verdict.overlapping.map { Overlap(session: $0.session.description.id, beats: $0.beats) }
  }

  /// For people, without a full stop; `nil` where there is nothing to say.
  package var note: String? {
    guard wasKnown else { return addition }
    let stored = "already stored as session \(Self.short(session.description.id))"
    return addition.map { "\(stored); \($0)" } ?? stored
  }

  /// The same behind what says already under which session it is stored.
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
  /// Gives a stored session the person and the label that it lacks, unless it is being recorded.
  package func complete(_ record: SessionRecord, from session: SessionDescription) throws(RepositoryError) {
    guard record.isComplete || record.description.origin != .live else { return }
    let person = record.description.person == nil ? session.person : nil
    let label = record.description.label == nil ? session.label : nil
    if person != nil || label != nil { try merge([], into: record.description.id, person: person, label: label) }
  }
}
