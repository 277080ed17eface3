import TachogramCore

/// A CSV table of sessions, a row for each, for spreadsheets.
struct SessionsTable {
  static let heading =
    "session,start,end,person,label,strap,beats,gaps,meanHeartRate,sdnn,rmssd,stress,note,file"

  /// Returns the row of a session. `file` is the name of its file, or the reason why it has none.
  static func row(_ summary: SessionSummary, file: String) -> String {
    let (record, means) = (summary.record, summary.means)
    let session = record.description
    func number(_ value: Double?) -> String { value.map { String(($0 * 100).rounded() / 100) } ?? "" }
    let cells = [
      session.id, Timestamp.text(session.start), Timestamp.text(record.end), session.person ?? "", session.label ?? "",
      session.strap.address == .unknown ? "" : session.strap.address.description, String(record.beatCount),
      String(record.gapCount), number(means.meanHeartRate), number(means.sdnn), number(means.rmssd),
      number(means.stress), record.note ?? "", file,
    ]
    return cells.map(cell).joined(separator: ",") + "\n"
  }

  /// Quotes a cell where RFC 4180 requires it. A text that a spreadsheet would compute as a formula gets an apostrophe.
  private static func cell(_ text: String) -> String {
    var text = text
    if let first = text.unicodeScalars.first, "=+-@\t".unicodeScalars.contains(first), Double(text) == nil {
      text = "'" + text
    }
    guard text.unicodeScalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
