import FoundationEssentials
import GRDB
import Sync

/// A space in a transaction of SQLite.
struct SQLiteSpace {
  private let db: Database
  private let id: Int64
  private let space: SpaceID
  /// The bytes of its objects, with what each counts besides.
  private var byteCount: Int64
  private(set) var changeCount: Int64
  private(set) var head: ContentDigest?

  private init(_ row: Row, _ space: SpaceID, _ db: Database) {
    self.db = db
    self.space = space
    (id, byteCount, changeCount) = (row["id"], row["bytes"], row["changes"])
    head = (row["head"] as Data?).flatMap { ContentDigest(bytes: Array($0)) }
  }

  static func find(_ space: SpaceID, _ db: Database) throws -> SQLiteSpace? {
    try Row.fetchOne(db.cached("SELECT * FROM space WHERE digest = ?"), arguments: [Data(space.digest.bytes)])
      .map { SQLiteSpace($0, space, db) }
  }

  static func findOrMake(_ space: SpaceID, _ db: Database) throws -> SQLiteSpace {
    if let found = try find(space, db) { return found }
    try db.cached("INSERT INTO space (digest) VALUES (?)").execute(arguments: [Data(space.digest.bytes)])
    guard let made = try find(space, db) else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
    return made
  }

  // MARK: - Reading

  /// Returns the identifier of a log, or `nil` if nothing was ever put into it.
  func log(_ log: StoreLog) throws -> Int64? {
    try Int64.fetchOne(
      db.cached("SELECT id FROM log WHERE space = ? AND station = ? AND kind = ?"),
      arguments: [id, Data(log.station.digest.bytes), log.kind.rawValue])
  }

  /// Returns the logs that fulfil a condition, in the order of stations and kinds. `start` is the argument of the condition, if it
  /// has one.
  func logs(where condition: String, after start: Int64) throws -> [StoreLog] {
    let sql = "SELECT station, kind FROM log WHERE space = ? AND \(condition) ORDER BY station, kind"
    return try Row.fetchAll(db.cached(sql), arguments: condition.contains("?") ? [id, start] : [id]).compactMap { row in
      guard let station = ContentDigest(bytes: Array(row[0] as Data)), let kind = StoreLog.Kind(rawValue: row[1]) else {
        return nil
      }
      return StoreLog(space: space, station: StationID(digest: station), kind: kind)
    }
  }

  static func object(_ sequence: UInt64, of log: Int64, _ db: Database) throws -> [UInt8]? {
    try Data.fetchOne(
      db.cached("SELECT bytes FROM object WHERE log = ? AND sequence = ?"),
      arguments: [log, Int64(clamping: sequence)]
    ).map { Array($0) }
  }

  // MARK: - Changing

  mutating func put(_ objects: [StoreObject], quota: Int64) throws -> SyncPutOutcome {
    var outcome = SyncPutOutcome()
    var logs: [StoreLog: Int64] = [:]
    for object in objects {
      let key = object.key
      let known = try logs[key.log] ?? log(key.log)
      if let known, let existing = try Self.object(key.sequence, of: known, db) {
        outcome.results.append(existing == object.bytes ? .unchanged : .conflict(existing: existing))
        if existing == object.bytes { continue }
        break
      }
      // A log that becomes empty stays.
      let cost =
        Int64(object.bytes.count) + (known == nil ? 2 : 1) * SQLiteStorage.objectOverhead
      guard cost <= quota - byteCount else {
        outcome.isFull = true
        break
      }
      let log = try known ?? make(key.log)
      try db.cached("INSERT INTO object (log, sequence, bytes) VALUES (?, ?, ?)")
        .execute(arguments: [log, Int64(clamping: key.sequence), Data(object.bytes)])
      logs[key.log] = log
      byteCount += cost
      outcome.results.append(.stored)
    }
    if outcome.hasChanged { try change(Array(logs.values)) }
    return outcome
  }

  mutating func delete(_ key: StoreKey, keeping keptLength: Int) throws -> Bool {
    guard let log = try log(key.log), let existing = try Self.object(key.sequence, of: log, db) else { return false }
    let kept = existing.prefix(max(0, keptLength))
    if kept.isEmpty {
      try db.cached("DELETE FROM object WHERE log = ? AND sequence = ?")
        .execute(arguments: [log, Int64(clamping: key.sequence)])
      byteCount -= Int64(existing.count) + SQLiteStorage.objectOverhead
    } else if kept.count < existing.count {
      try db.cached("UPDATE object SET bytes = ? WHERE log = ? AND sequence = ?")
        .execute(arguments: [Data(kept), log, Int64(clamping: key.sequence)])
      byteCount -= Int64(existing.count - kept.count)
    } else {
      return true
    }
    try change([log])
    return true
  }

  mutating func move(to head: ContentDigest) throws {
    self.head = head
    try db.cached("UPDATE space SET head = ? WHERE id = ?").execute(arguments: [Data(head.bytes), id])
    try change([])
  }

  private func make(_ log: StoreLog) throws -> Int64 {
    try db.cached("INSERT INTO log (space, station, kind, changed) VALUES (?, ?, ?, 0)")
      .execute(arguments: [id, Data(log.station.digest.bytes), log.kind.rawValue])
    return db.lastInsertedRowID
  }

  /// Counts a change of some logs.
  private mutating func change(_ logs: [Int64]) throws {
    changeCount += 1
    try db.cached("UPDATE space SET changes = ?, bytes = ? WHERE id = ?")
      .execute(arguments: [changeCount, byteCount, id])
    for log in logs {
      try db.cached("UPDATE log SET changed = ? WHERE id = ?").execute(arguments: [changeCount, log])
    }
  }
}
