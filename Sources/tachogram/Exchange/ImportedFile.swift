import TachogramCore

/// What became of a file, or of a part of one, that was imported.
struct ImportedFile: Encodable {
  let file: String
  /// What it was recognised as.
  let format: String
  var session: String?
  var person: String?
  /// Whether it was stored before.
  var wasKnown = false
  var notifications: Int64 = 0
  var beats: Int64 = 0
  var gaps: Int64 = 0
  /// Parts that were passed over.
  var damaged = 0
  /// Heart-rate notifications that are not used.
  var leftOut = 0
  /// Why not, for people.
  var leftOutText: String?

  private enum CodingKeys: String, CodingKey {
    case file, format, session, person, wasKnown, notifications, beats, gaps, damaged, leftOut
  }

  init(file: String, format: String) {
    self.file = file
    self.format = format
  }

  init(file: String, format: String, _ record: SessionRecord, wasKnown: Bool) {
    self.init(file: file, format: format)
    session = record.description.id
    person = record.description.person
    self.wasKnown = wasKnown
    notifications = record.entryCount
    beats = record.beatCount
    gaps = record.gapCount
  }

  /// A line for people.
  var text: String {
    let name = person.map(TerminalText.safe)
    guard let session else { return "\(file): what belongs to \(name ?? "nobody in particular") (\(format))\n" }
    let owner = name.map { " of \($0)" } ?? ""
    let what = "\(format), session \(session.prefix(8))\(owner), \(beats) beats, \(gaps) gaps"
    let damage = damaged > 0 ? "; \(damaged) damaged places were passed over" : ""
    let rest = leftOutText.map { "; left out \($0)" } ?? ""
    return "\(file): \(what)\(wasKnown ? "; it was stored already" : "")\(damage)\(rest)\n"
  }
}
