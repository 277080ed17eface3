import GRDB
import TachogramCore

/// The sensor entries of one session, inside a transaction.
struct SensorTable {
  /// The kind of an entry, as stored in the column `kind`.
  private enum Kind: Int64 {
    case frame = 0
    case started = 1
    case stopped = 2
  }

  private let db: Database
  /// The identifier of the session, for errors.
  private let id: String
  private let key: Int64

  /// Throws `sessionNotFound`.
  init(db: Database, id: String) throws {
    self.init(db: db, id: id, key: try SessionTable(db: db).key(of: id))
  }

  init(db: Database, id: String, key: Int64) {
    (self.db, self.id, self.key) = (db, id, key)
  }

  /// Appends entries. Throws `sequenceHole` if they do not follow the stored ones.
  func append(_ entries: [SensorEntry]) throws {
    guard !entries.isEmpty else { return }
    var next = try SequencedTable.sensorEntry.nextSequence(db, session: key)
    for entry in entries {
      guard entry.sequence == next else {
        throw RepositoryError.sequenceHole(
          session: id, table: SequencedTable.sensorEntry.rawValue, expected: next, found: entry.sequence)
      }
      next += 1
    }
    try BulkInsertion(
      db, "INSERT INTO sensor_entry (session, sequence, link, kind, monotonic_us, wall_us, value)", columnCount: 7
    )
    .insert(entries) { statement, index, entry in
      let (kind, value) = Self.row(of: entry.content)
      try statement.bind(key, at: index)
      try statement.bind(entry.sequence, at: index + 1)
      try statement.bind(Int64(entry.link), at: index + 2)
      try statement.bind(kind.rawValue, at: index + 3)
      try statement.bind(entry.monotonic.microseconds, at: index + 4)
      try statement.bind(entry.wall.microseconds, at: index + 5)
      try statement.bind(value, at: index + 6)
    }
  }

  /// Returns up to `limit` entries in order, beginning with that at `sequence`.
  func entries(from sequence: Int64, limit: Int) throws -> [SensorEntry] {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT sequence, link, kind, monotonic_us, wall_us, value FROM sensor_entry
          WHERE session = ? AND sequence >= ? ORDER BY sequence LIMIT ?
          """), arguments: [key, sequence, limit])
    var entries: [SensorEntry] = []
    while let row = try rows.next() {
      let row = RowReader(row: row)
      guard let kind = Kind(rawValue: try row.integer(2)), let content = Self.content(kind, try row.bytes(5)) else {
        throw row.unexpected(5)
      }
      entries.append(
        SensorEntry(
          sequence: try row.integer(0), link: try row.integer(1),
          monotonic: MonotonicTime(microseconds: try row.integer(3)),
          wall: WallTime(microseconds: try row.integer(4)), content: content))
    }
    return entries
  }

  /// A request is shorter than 256 bytes: it fits into a packet of Bluetooth Low Energy.
  private static func row(of content: SensorEntry.Content) -> (Kind, [UInt8]) {
    switch content {
    case .frame(let bytes): (.frame, bytes)
    case .started(let request, let response):
      (.started, [UInt8(clamping: request.count)] + request.prefix(255) + response)
    case .stopped(let bytes): (.stopped, bytes)
    }
  }

  private static func content(_ kind: Kind, _ value: [UInt8]) -> SensorEntry.Content? {
    switch kind {
    case .frame: return .frame(value)
    case .stopped: return .stopped(value)
    case .started:
      guard let length = value.first.map(Int.init), value.count > length else { return nil }
      return .started(request: Array(value.dropFirst().prefix(length)), response: Array(value.dropFirst(1 + length)))
    }
  }
}
