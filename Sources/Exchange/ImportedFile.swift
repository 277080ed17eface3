import Presentation
import Sessions
import TachogramCore

/// The result of importing a file or a part of it.
package struct ImportedFile: Encodable {
  package let file: String
  /// The recognised format.
  package let format: String
  package var session: String?
  package var person: String?
  /// Whether the recording was already stored.
  package var wasKnown = false
  package var notifications: Int64 = 0
  package var beats: Int64 = 0
  package var gaps: Int64 = 0
  /// The number of parts that were skipped.
  package var damaged = 0
  /// The number of beats in the file that the previously stored session lacks, or `nil` if there are none.
  package var lacking: Int?
  /// The time in seconds by which the beats in the file are later than in the session, or in the deleted copies, if clocks
  /// cannot explain it; else `nil`.
  package var startsLaterBySeconds: Double?
  /// The less precise or shorter copies of the same recording that were deleted, or `nil` if there were none.
  package var replaced: [String]?
  /// The deleted copies with beats that the session lacks, or `nil` if there are none.
  package var lost: [StoredRecording.Overlap]?
  /// The sessions that share beats with the file and are kept, or `nil` if there are none.
  package var overlapping: [StoredRecording.Overlap]?
  private var note: String?
  /// The number of heart-rate notifications that are not used.
  package var leftOut = 0
  /// The reason why notifications are not used, as readable text.
  var leftOutText: String?

  private enum CodingKeys: String, CodingKey {
    case file, format, session, person, wasKnown, notifications, beats, gaps, damaged, leftOut, lacking, replaced
    case lost, overlapping, startsLaterBySeconds
  }

  package init(file: String, format: String) {
    self.file = file
    self.format = format
  }

  package init(file: String, format: String, _ stored: StoredRecording) {
    self.init(file: file, format: format)
    let record = stored.session
    session = record.description.id
    person = record.description.person
    wasKnown = stored.wasKnown
    notifications = record.entryCount
    beats = record.beatCount
    gaps = record.gapCount
    lacking = stored.lacking > 0 ? stored.lacking : nil
    startsLaterBySeconds = stored.startsLaterBySeconds == 0 ? nil : stored.startsLaterBySeconds
    replaced = stored.replaced.isEmpty ? nil : stored.replaced
    lost = stored.lost.isEmpty ? nil : stored.lost
    overlapping = stored.overlapping.isEmpty ? nil : stored.overlapping
    note = stored.addition
  }

  /// The result as a line of readable text.
  package var text: String {
    let (file, name) = (TerminalText.line(file), person.map(TerminalText.safe))
    guard let session else { return "\(file): what belongs to \(name ?? "no person") (\(format))\n" }
    let owner = name.map { " of \($0)" } ?? ""
    let stored = wasKnown ? "already stored as session" : "session"
    let what =
      "\(format), \(stored) \(session.prefix(8))\(owner), \(Self.counted(beats, "beat")), \(Self.counted(gaps, "gap"))"
    let damage =
      damaged > 0 ? "; \(Self.counted(damaged, "damaged place")) \(damaged == 1 ? "was" : "were") passed over" : ""
    let rest = leftOutText.map { "; left out \($0)" } ?? ""
    return "\(file): \(what)\(note.map { "; \($0)" } ?? "")\(damage)\(rest)\n"
  }

  private static func counted(_ count: some BinaryInteger, _ what: String) -> String {
    count == 1 ? "1 \(what)" : "\(count) \(what)s"
  }
}
