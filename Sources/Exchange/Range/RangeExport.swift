import CommandProcess
import Repository
import TachogramCore

/// All sessions that began in a range of time as a ZIP file: a file for each session, and a table of them.
package struct RangeExport {
  /// The name of the table in the ZIP file.
  static let table = "sessions.csv"
  private static let pageSize = 100

  private let database: TachogramDatabase
  /// The person, or `nil` for everybody.
  private let person: String?
  private let range: ClosedRange<WallTime>
  /// The replacements for names, addresses and dates, or `nil` to keep them.
  private let pseudonyms: Pseudonyms?

  package init(
    person: String?, range: ClosedRange<WallTime>, in database: TachogramDatabase, pseudonyms: Pseudonyms? = nil
  ) {
    self.pseudonyms = pseudonyms
    self.database = database
    self.person = person
    self.range = range
  }

  /// Returns whether no session is selected.
  package func isEmpty() throws(RepositoryError) -> Bool {
    try HistoryRepository(database: database).sessions(of: person, in: range, limit: 1).sessions.isEmpty
  }

  /// Writes the ZIP file. A session that the format cannot hold has the reason in the place of its file in the table.
  package func write(_ format: ExportFormat, to sink: any ByteSink) throws {
    let zip = ZipWriter(to: sink)
    var rows = SessionsTable.heading + "\n"
    var last = WallTime(microseconds: 0)
    try forEachSession { stored in
      var session = try StoredSession(stored.record, in: database)
      if let pseudonyms { session = try session.pseudonymized(by: pseudonyms) }
      let record = session.record
      let summary = SessionSummary(record: record, means: stored.means)
      let exporter = SessionExporter(session: session)
      if let refusal = exporter.refusal(of: format) {
        rows += SessionsTable.row(summary, file: refusal)
        return
      }
      let name = "\(Self.fileName(record)).\(format.fileExtension)"
      last = max(last, record.end)
      try zip.add(name, modified: record.end) { try exporter.write(format, to: $0) }
      rows += SessionsTable.row(summary, file: name)
    }
    try zip.add(Self.table, modified: last) { try $0.write(rows) }
    try zip.finish()
  }

  private func forEachSession(_ body: (SessionSummary) throws -> Void) throws {
    let history = HistoryRepository(database: database)
    var place: HistoryRepository.Cursor?
    repeat {
      let page = try history.sessions(of: person, in: range, limit: Self.pageSize, after: place)
      for session in page.sessions { try body(session) }
      place = page.next
    } while place != nil
  }

  /// Returns the name of a session's file without its extension: its start, with the beginning of its identifier.
  package static func fileName(_ record: SessionRecord) -> String {
    let time = Timestamp.text(record.description.start).prefix(19).map { $0 == ":" ? "-" : $0 }
    return String(time) + "Z-" + record.description.id.prefix(8)
  }
}
