import TachogramCore

/// What becomes of a recording that is to be stored, with regard to what is stored.
package struct CopyVerdict: Sendable {
  /// A stored session that gives way.
  package struct Replaced: Sendable {
    package let session: SessionRecord
    /// How many beats of it the recording lacks.
    package let lost: Int
  }

  package enum Outcome: Sendable {
    /// It is stored.
    case new
    /// It is not stored, since a stored session holds it; with how many beats of it that session lacks.
    case stored(as: SessionRecord, lacking: Int)
    /// It is stored in the place of copies that are less precise or shorter.
    case replaces([Replaced])
  }

  package let outcome: Outcome
  /// Stored sessions that share beats with it without being copies, and that stay; with how many beats are in both.
  package let overlapping: [(session: SessionRecord, beats: Int)]

  /// By how much it is said to be later than the session that holds it, or the one that gives way, in microseconds, where no
  /// clock explains it; else 0.
  package let offset: Int64

  init(outcome: Outcome, overlapping: [(session: SessionRecord, beats: Int)], offset: Int64 = 0) {
    (self.outcome, self.overlapping, self.offset) = (outcome, overlapping, offset)
  }

  /// Nothing is stored of it.
  static let nothingStored = CopyVerdict(outcome: .new, overlapping: [])

  /// What to store, where it is stored: person and label of the copies stay, and are taken from the file where they have
  /// none.
  package func described(_ session: SessionDescription) -> SessionDescription {
    guard case .replaces(let copies) = outcome else { return session }
    var session = session
    session.person = copies.lazy.compactMap(\.session.description.person).first ?? session.person
    session.label = copies.lazy.compactMap(\.session.description.label).first ?? session.label
    return session
  }

  /// The sessions in whose place it is stored.
  package var replaced: [Replaced] {
    guard case .replaces(let copies) = outcome else { return [] }
    return copies
  }

  /// Their identifiers.
  package var replacedIDs: [String] { replaced.map(\.session.description.id) }
}
