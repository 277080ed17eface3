import CommandProcess
import Repository
import TachogramCore

/// A format in which stored sessions are exported. To add a format, add a file next to the existing ones and a line in
/// `SessionFormats`; see CONTRIBUTING.md.
package protocol SessionFormat: Sendable {
  var format: ExportFormat { get }
  /// The dates that the format can represent, and their description, or `nil` if it represents none, or all.
  var dates: (range: ClosedRange<WallTime>, words: String)? { get }

  /// What to use for the data that the format cannot represent, or `nil` if no format has it.
  var alternative: String? { get }

  /// Returns the reason why a session has nothing for this format, or `nil`.
  func refusal(of session: StoredSession) throws -> String?

  /// Returns the data of the session that the format cannot represent, as words to be joined in a sentence, or an empty array
  /// if it represents everything.
  func omissions(of session: StoredSession) throws -> [String]

  /// Writes the session in pieces, since it may exceed the memory.
  func write(_ session: StoredSession, to sink: any ByteSink) throws
}

extension SessionFormat {
  /// The dates of recordings.
  package var dates: (range: ClosedRange<WallTime>, words: String)? { (RecordingDates.range, RecordingDates.words) }

  package var alternative: String? { "json holds everything" }

  package func refusal(of session: StoredSession) throws -> String? { nil }

  /// Returns the data of a session that a format of beats alone omits.
  func omissionsOfBeats(of session: StoredSession, holdsStrap: Bool = false) throws -> [String] {
    let description = session.description
    var missing: [String] = []
    if try !session.repository.stress(of: session.id).isEmpty { missing.append("stress levels") }
    if description.person != nil { missing.append("the person") }
    if description.label != nil { missing.append("the label") }
    if !holdsStrap, description.madeFrom == nil { missing.append("the strap and its notifications") }
    return missing + (try measurements(of: session))
  }

  /// Returns what the session has beside its heart rate, in words.
  private func measurements(of session: StoredSession) throws -> [String] {
    guard let nights = session.nights else { return [] }
    var all: [String] = []
    if try nights.night(of: session.id) != nil { all.append("the night") }
    if try !nights.movement(of: session.id).isEmpty { all.append("the movement") }
    if try (session.sensors?.nextSequence(of: session.id) ?? 0) > 0 { all.append("what sensors sent") }
    return all
  }
}
