import GRDB
import TachogramCore

/// A selected session, with the time from its first to its last entry.
struct SelectedSession: Sendable {
  let key: Int64
  let id: String
  let span: ClosedRange<WallTime>

  /// Returns all selected sessions.
  static func all(_ db: Database, _ selection: SessionSelection) throws -> [SelectedSession] {
    // Without a person, sessions of all persons are selected.
    guard case .key(let owner) = try PersonTable(db: db).owner(named: selection.person) else { return [] }
    var conditions = ["TRUE"]
    var arguments = StatementArguments()
    func add(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
      guard let value else { return }
      conditions.append(condition)
      arguments += [value]
    }
    add("session.id = ?", selection.session)
    add("session.person = ?", owner)
    add("strap.address = ?", selection.strap?.description)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT session.key, session.id, start_us,
          (SELECT wall_us FROM ledger WHERE ledger.session = session.key ORDER BY sequence DESC LIMIT 1)
        FROM session JOIN strap ON strap.id = session.strap
        WHERE \(conditions.joined(separator: " AND "))
        """, arguments: arguments)
    var sessions: [SelectedSession] = []
    while let row = try rows.next() {
      let reader = RowReader(row: row)
      let id = try reader.text(1)
      if selection.excluding.contains(id) { continue }
      let start: Int64 = try reader.integer(2)
      let span = WallTime(microseconds: start)...WallTime(microseconds: max(start, reader.optionalInteger(3) ?? start))
      if let range = selection.range, !(range.contains(span.lowerBound) && range.contains(span.upperBound)) {
        continue
      }
      sessions.append(SelectedSession(key: try reader.integer(0), id: id, span: span))
    }
    return sessions
  }
}
