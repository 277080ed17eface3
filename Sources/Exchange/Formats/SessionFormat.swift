import CommandProcess
import Repository
import TachogramCore

/// Writes stored sessions in one format. Another format is a file like those beside it and a line in `SessionFormats`;
/// docs/export_formats.md.
package protocol SessionFormat: Sendable {
  var format: ExportFormat { get }
  /// The dates that it can hold, and the same in words; `nil` where it holds none, or all.
  var dates: (range: ClosedRange<WallTime>, words: String)? { get }

  /// What the session has that the format cannot hold, in words that follow each other in a sentence; empty where it holds
  /// everything.
  func omissions(of session: StoredSession) throws -> [String]

  /// Writes the session, in pieces: it may be longer than the memory.
  func write(_ session: StoredSession, to sink: any ByteSink) throws
}

extension SessionFormat {
  /// The dates of recordings.
  package var dates: (range: ClosedRange<WallTime>, words: String)? { (RecordingDates.range, RecordingDates.words) }

  /// What a format of beats alone leaves out of a session.
  func omissionsOfBeats(of session: StoredSession, holdsStrap: Bool = false) throws -> [String] {
    let description = session.description
    var missing: [String] = []
    if try !session.repository.stress(of: session.id).isEmpty { missing.append("stress levels") }
    if description.person != nil { missing.append("the person") }
    if description.label != nil { missing.append("the label") }
    if !holdsStrap, description.madeFrom == nil { missing.append("the strap and its notifications") }
    return missing
  }
}
