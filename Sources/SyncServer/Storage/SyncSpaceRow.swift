import Sync

/// A space in a transaction.
struct SyncSpaceRow {
  /// The bytes that an object, and a log, counts beside its own, so that very many very short ones reach a quota, too.
  static let overhead: Int64 = 128

  /// The length up to which an object is small, in bytes. Small ones may use a reserve above the quota: without it, a full space would
  /// not learn that something was deleted.
  private static let small = 4096
  private static func reserve(above quota: Int64) -> Int64 { min(256 << 10, quota / 64) }

  private let sql: any SyncSQLProtocol
  private let id: Int64
  private let space: SpaceID
  private var byteCount: Int64
  private(set) var changeCount: Int64
  private(set) var head: ContentDigest?

  private init?(_ row: [SyncSQLValue], _ space: SpaceID, _ sql: any SyncSQLProtocol) {
    guard let id = row[0].integer, let byteCount = row[1].integer, let changeCount = row[2].integer else { return nil }
    (self.id, self.byteCount, self.changeCount) = (id, byteCount, changeCount)
    (self.space, self.sql) = (space, sql)
    head = row[3].bytes.flatMap { ContentDigest(bytes: $0) }
  }

  static func find(_ space: SpaceID, _ sql: any SyncSQLProtocol) throws -> SyncSpaceRow? {
    try find(space, sql, lock: "")
  }

  /// Returns a space that no other transaction changes until the end of this one. Makes it if there is none.
  static func locked(_ space: SpaceID, _ sql: any SyncSQLProtocol) throws -> SyncSpaceRow {
    if let found = try find(space, sql, lock: sql.lock) { return found }
    try sql.run("INSERT INTO space (digest) VALUES ($1) ON CONFLICT DO NOTHING", [.bytes(space.digest.bytes)])
    guard let made = try find(space, sql, lock: sql.lock) else { throw SyncStorageFailure.failed(code: "no space") }
    return made
  }

  private static func find(_ space: SpaceID, _ sql: any SyncSQLProtocol, lock: String) throws -> SyncSpaceRow? {
    try sql.rows("SELECT id, bytes, changes, head FROM space WHERE digest = $1\(lock)", [.bytes(space.digest.bytes)])
      .first.flatMap { SyncSpaceRow($0, space, sql) }
  }

  // MARK: - Reading

  /// Returns the identifier of a log, or `nil` if nothing was ever put into it.
  func log(_ log: StoreLog) throws -> Int64? {
    try sql.rows(
      "SELECT id FROM log WHERE space = $1 AND station = $2 AND kind = $3",
      [.integer(id), .bytes(log.station.digest.bytes), .text(log.kind.rawValue)]
    ).first?[0].integer
  }

  /// Returns the logs that have objects, in the order of stations and kinds.
  func logs() throws -> [StoreLog] {
    try logs("EXISTS (SELECT 1 FROM object WHERE object.log = log.id)", [])
  }

  /// Returns the logs that changed after a count of changes, in the order of stations and kinds.
  func logs(after changeCount: Int64) throws -> [StoreLog] {
    try logs("changed > $2", [.integer(changeCount)])
  }

  private func logs(_ condition: String, _ values: [SyncSQLValue]) throws -> [StoreLog] {
    let text = "SELECT station, kind FROM log WHERE space = $1 AND \(condition) ORDER BY station, kind"
    return try sql.rows(text, [.integer(id)] + values).compactMap { row in
      guard let station = row[0].bytes.flatMap({ ContentDigest(bytes: $0) }),
        let kind = row[1].text.flatMap({ StoreLog.Kind(rawValue: $0) })
      else { return nil }
      return StoreLog(space: space, station: StationID(digest: station), kind: kind)
    }
  }

  func object(_ sequence: UInt64, of log: Int64) throws -> [UInt8]? {
    try sql.rows(
      "SELECT bytes FROM object WHERE log = $1 AND sequence = $2", [.integer(log), .integer(Int64(clamping: sequence))]
    ).first?[0].bytes
  }

  // MARK: - Changing

  mutating func put(_ objects: [StoreObject], quota: Int64) throws -> SyncPutOutcome {
    var outcome = SyncPutOutcome()
    var known: [StoreLog: Int64] = [:]
    var changed: Set<Int64> = []
    for object in objects {
      let key = object.key
      if known[key.log] == nil { known[key.log] = try log(key.log) }
      if let log = known[key.log], let existing = try self.object(key.sequence, of: log) {
        outcome.results.append(existing == object.bytes ? .unchanged : .conflict(existing: existing))
        if existing == object.bytes { continue }
        break
      }
      // A log that becomes empty stays, so it counts for ever.
      let cost = Int64(object.bytes.count) + (known[key.log] == nil ? 2 : 1) * Self.overhead
      let room = object.bytes.count <= Self.small ? quota.saturating(adding: Self.reserve(above: quota)) : quota
      guard cost <= room - byteCount else {
        outcome.isFull = true
        break
      }
      let log = try known[key.log] ?? make(key.log)
      try sql.run(
        "INSERT INTO object (log, sequence, bytes) VALUES ($1, $2, $3)",
        [.integer(log), .integer(Int64(clamping: key.sequence)), .bytes(object.bytes)])
      known[key.log] = log
      changed.insert(log)
      byteCount += cost
      outcome.results.append(.stored)
    }
    if !changed.isEmpty { try change(changed) }
    return outcome
  }

  mutating func delete(_ key: StoreKey, keeping keptLength: Int) throws -> Bool {
    guard let log = try log(key.log), let existing = try object(key.sequence, of: log) else { return false }
    let place: [SyncSQLValue] = [.integer(log), .integer(Int64(clamping: key.sequence))]
    let kept = Array(existing.prefix(max(0, keptLength)))
    if kept.isEmpty {
      try sql.run("DELETE FROM object WHERE log = $1 AND sequence = $2", place)
      byteCount -= Int64(existing.count) + Self.overhead
    } else if kept.count < existing.count {
      try sql.run("UPDATE object SET bytes = $1 WHERE log = $2 AND sequence = $3", [.bytes(kept)] + place)
      byteCount -= Int64(existing.count - kept.count)
    } else {
      return true
    }
    try change([log])
    return true
  }

  mutating func move(to head: ContentDigest) throws {
    self.head = head
    try sql.run("UPDATE space SET head = $1 WHERE id = $2", [.bytes(head.bytes), .integer(id)])
    try change([])
  }

  private func make(_ log: StoreLog) throws -> Int64 {
    let rows = try sql.rows(
      "INSERT INTO log (space, station, kind, changed) VALUES ($1, $2, $3, 0) RETURNING id",
      [.integer(id), .bytes(log.station.digest.bytes), .text(log.kind.rawValue)])
    guard let made = rows.first?[0].integer else { throw SyncStorageFailure.failed(code: "no log") }
    return made
  }

  /// Counts a change of some logs.
  private mutating func change(_ logs: Set<Int64>) throws {
    changeCount += 1
    try sql.run(
      "UPDATE space SET changes = $1, bytes = $2 WHERE id = $3",
      [.integer(changeCount), .integer(byteCount), .integer(id)])
    for log in logs.sorted() {
      try sql.run("UPDATE log SET changed = $1 WHERE id = $2", [.integer(changeCount), .integer(log)])
    }
  }
}

extension Int64 {
  fileprivate func saturating(adding other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
