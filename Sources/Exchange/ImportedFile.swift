import Presentation
import Sessions
import TachogramCore

/// What became of a file, or of a part of one, that was imported.
package struct ImportedFile: Encodable {
  package let file: String
  /// What it was recognised as.
  package let format: String
  package var session: String?
  package var person: String?
  /// Whether it was stored before.
  package var wasKnown = false
  package var notifications: Int64 = 0
  package var beats: Int64 = 0
  package var gaps: Int64 = 0
  /// Parts that were passed over.
  package var damaged = 0
  /// Beats in the file that the session lacks under which it was stored before; `nil` where there are none.
  package var lacking: Int?
  /// By how much the file has the same beats later than the session, or than the copies that were deleted, in seconds, where
  /// no clock explains it; else `nil`.
  package var startsLaterBySeconds: Double?
  /// Less precise or shorter copies of the same recording that were deleted; `nil` where there were none.
  package var replaced: [String]?
  /// Of these, those with beats that the session lacks; `nil` where there are none.
  package var lost: [StoredRecording.Overlap]?
  /// Sessions that share beats with it and stay; `nil` where there are none.
  package var overlapping: [StoredRecording.Overlap]?
  private var note: String?
  /// Heart-rate notifications that are not used.
  package var leftOut = 0
  /// Why not, for people.
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

  /// A line for people.
  package var text: String {
    let (file, name) = (TerminalText.line(file), person.map(TerminalText.safe))
    guard let session else { return "\(file): what belongs to \(name ?? "no person") (\(format))\n" }
    let owner = name.map { " of \($0)" } ?? ""
    let stored = wasKnown ? "already stored as session" : "session"
    let what = "\(format), \(stored) \(session.prefix(8))\(owner), \(beats) beats, \(gaps) gaps"
    let damage = damaged > 0 ? "; \(damaged) damaged places were passed over" : ""
    let rest = leftOutText.map { "; left out \($0)" } ?? ""
    return "\(file): \(what)\(note.map { "; \($0)" } ?? "")\(damage)\(rest)\n"
  }
}
