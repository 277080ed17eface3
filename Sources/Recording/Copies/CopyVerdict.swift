import TachogramCore

/// The decision about a recording to be stored, based on the stored sessions.
package struct CopyVerdict: Sendable {
  /// A stored session that is replaced.
  package struct Replaced: Sendable {
    package let session: SessionRecord
    /// The number of its beats that the recording lacks.
    package let lost: Int
  }

  package enum Outcome: Sendable {
    /// The recording is stored.
    case new
    /// The recording is not stored, since a stored session contains it. `lacking` is the number of its beats that the session
    /// lacks.
    case stored(as: SessionRecord, lacking: Int)
    /// The recording is stored in place of copies that are less precise or shorter.
    case replaces([Replaced])
  }

  package let outcome: Outcome
  /// The stored sessions that share beats with the recording without being copies, and that are kept, with the number of common
  /// beats.
  package let overlapping: [(session: SessionRecord, beats: Int)]

  /// The time in microseconds by which the recording is later than the session that contains it, or that it replaces, if clocks
  /// cannot explain it; else 0.
  package let offset: Int64

  init(outcome: Outcome, overlapping: [(session: SessionRecord, beats: Int)], offset: Int64 = 0) {
    (self.outcome, self.overlapping, self.offset) = (outcome, overlapping, offset)
  }

  /// The verdict if nothing is stored of the time of the recording.
  static let nothingStored = CopyVerdict(outcome: .new, overlapping: [])

  /// Returns the description to store: the person and the label of the copies are kept, and taken from the file if the copies
  /// have none.
  package func described(_ session: SessionDescription) -> SessionDescription {
    guard case .replaces(let copies) = outcome else { return session }
    var session = session
    session.person = copies.lazy.compactMap(\.session.description.person).first ?? session.person
    session.label = copies.lazy.compactMap(\.session.description.label).first ?? session.label
    return session
  }

  /// The sessions that are replaced.
  package var replaced: [Replaced] {
    guard case .replaces(let copies) = outcome else { return [] }
    return copies
  }

  /// The identifiers of the replaced sessions.
  package var replacedIDs: [String] { replaced.map(\.session.description.id) }
}
