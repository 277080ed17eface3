import FoundationEssentials
import GRDB
import Sync

/// The database of a sync server in SQLite.
package struct SQLiteStorage: SyncStorageProtocol {
  private let pool: DatabasePool

  /// Opens the database, or makes it.
  package init(path: String) throws(SyncStorageFailure) {
    var configuration = Configuration()
    // Tokens are added by another process.
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in
      // What is acknowledged survives a power cut.
      try db.execute(sql: "PRAGMA synchronous = FULL")
    }
    do {
      pool = try DatabasePool(path: path, configuration: configuration)
      guard try pool.read({ db in try !SQLiteSchema.migrator.hasBeenSuperseded(db) }) else {
        throw SyncStorageFailure.newerSchema
      }
      try SQLiteSchema.migrator.migrate(pool)
    } catch let failure as SyncStorageFailure {
      throw failure
    } catch let error as DatabaseError {
      throw .notOpened(reason: "\(path): \(error.message ?? "error \(error.resultCode.rawValue)")")
    } catch {
      throw .notOpened(reason: "\(path): \(error)")
    }
  }

  /// Closes the database once nothing uses it.
  package func close() { try? pool.close() }

  // MARK: - Tokens

  package func token(_ digest: ContentDigest) async throws(SyncStorageFailure) -> SyncToken? {
    try await read { db in
      try Row.fetchOne(db.cached("SELECT * FROM token WHERE digest = ?"), arguments: [Data(digest.bytes)])
        .flatMap(SQLiteStorage.token)
    }
  }

  package func bind(
    _ token: ContentDigest, to space: SpaceID
  ) async throws(SyncStorageFailure) -> SpaceID? {
    try await write { db in
      try db.cached("UPDATE token SET space = ? WHERE digest = ? AND space IS NULL")
        .execute(arguments: [Data(space.digest.bytes), Data(token.bytes)])
      let bound = try Data.fetchOne(
        db.cached("SELECT space FROM token WHERE digest = ?"), arguments: [Data(token.bytes)])
      return bound.flatMap { ContentDigest(bytes: Array($0)) }.map { SpaceID(digest: $0) }
    }
  }

  package func add(_ token: SyncToken) async throws(SyncStorageFailure) {
    let isAdded = try await write { db in
      let space = token.space.map { Data($0.digest.bytes) }
      try db.cached(
        "INSERT INTO token (digest, name, quota, created, space) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
      )
      .execute(arguments: [Data(token.digest.bytes), token.name, token.quota, token.created, space])
      return db.changesCount > 0
    }
    guard isAdded else { throw .nameTaken }
  }

  package func revoke(name: String) async throws(SyncStorageFailure) -> Bool {
    try await write { db in
      try db.cached("DELETE FROM token WHERE name = ?").execute(arguments: [name])
      return db.changesCount > 0
    }
  }

  package func tokens() async throws(SyncStorageFailure) -> [SyncTokenUse] {
    try await read { db in
      let sql = """
        SELECT token.*, COALESCE(space.bytes, 0) AS bytes FROM token LEFT JOIN space ON space.digest = token.space
        ORDER BY token.name
        """
      return try Row.fetchAll(db, sql: sql).compactMap { row in
        SQLiteStorage.token(row).map { SyncTokenUse(token: $0, byteCount: row["bytes"]) }
      }
    }
  }

  private static func token(_ row: Row) -> SyncToken? {
    ContentDigest(bytes: Array(row["digest"] as Data)).map { digest in
      let space = (row["space"] as Data?).flatMap { ContentDigest(bytes: Array($0)) }
      return SyncToken(
        name: row["name"], digest: digest, quota: row["quota"], created: row["created"],
        space: space.map { SpaceID(digest: $0) })
    }
  }

  // MARK: - Objects

  package func hasSpace(_ space: SpaceID) async throws(SyncStorageFailure) -> Bool {
    try await read { db in try SQLiteSpace.find(space, db) != nil }
  }

  package func put(
    _ objects: [StoreObject], in space: SpaceID, quota: Int64?
  ) async throws(SyncStorageFailure) -> SyncPutOutcome {
    try await write { db in
      var space = try SQLiteSpace.findOrMake(space, db)
      return try space.put(objects, quota: quota ?? .max)
    }
  }

  package func get(_ key: StoreKey) async throws(SyncStorageFailure) -> [UInt8]? {
    try await read { db in
      guard let log = try SQLiteSpace.find(key.log.space, db)?.log(key.log) else { return nil }
      return try SQLiteSpace.object(key.sequence, of: log, db)
    }
  }

  package func list(
    _ log: StoreLog, after sequence: UInt64, limit: Int
  ) async throws(SyncStorageFailure) -> StoreListing {
    try await read { db in
      guard let id = try SQLiteSpace.find(log.space, db)?.log(log) else {
        return StoreListing(sequences: [], isWhole: true)
      }
      let sql = "SELECT sequence FROM object WHERE log = ? AND sequence > ? ORDER BY sequence LIMIT ?"
      let all = try Int64.fetchAll(
        db.cached(sql), arguments: [id, Int64(clamping: sequence), Int64(clamping: limit) + 1])
      return StoreListing(sequences: all.prefix(limit).map { UInt64($0) }, isWhole: all.count <= limit)
    }
  }

  package func objects(
    of log: StoreLog, in range: ClosedRange<UInt64>, byteLimit: Int
  ) async throws(SyncStorageFailure) -> StoreObjects {
    try await read { db in
      guard let id = try SQLiteSpace.find(log.space, db)?.log(log) else {
        return StoreObjects(objects: [], isWhole: true)
      }
      let sql = "SELECT sequence, bytes FROM object WHERE log = ? AND sequence BETWEEN ? AND ? ORDER BY sequence"
      let rows = try Row.fetchCursor(
        db.cached(sql), arguments: [id, Int64(clamping: range.lowerBound), Int64(clamping: range.upperBound)])
      var (objects, size): ([StoredChunk], Int) = ([], 0)
      while let row = try rows.next() {
        let chunk = StoredChunk(sequence: UInt64(row[0] as Int64), bytes: Array(row[1] as Data))
        guard objects.isEmpty || chunk.bytes.count <= byteLimit - size, objects.count < Self.mostObjects else {
          return StoreObjects(objects: objects, isWhole: false)
        }
        objects.append(chunk)
        size += chunk.bytes.count
      }
      return StoreObjects(objects: objects, isWhole: true)
    }
  }

  package func logs(of space: SpaceID) async throws(SyncStorageFailure) -> [StoreLog] {
    try await read { db in
      let isPresent = "EXISTS (SELECT 1 FROM object WHERE object.log = log.id)"
      return try SQLiteSpace.find(space, db)?.logs(where: isPresent, after: -1) ?? []
    }
  }

  package func delete(_ key: StoreKey, keeping keptLength: Int) async throws(SyncStorageFailure) -> Bool {
    try await write { db in
      guard var space = try SQLiteSpace.find(key.log.space, db) else { return false }
      return try space.delete(key, keeping: keptLength)
    }
  }

  // MARK: - Changes

  package func changes(of space: SpaceID, after mark: StoreMark?) async throws(SyncStorageFailure) -> StoreChanges {
    try await read { db in
      guard let space = try SQLiteSpace.find(space, db) else {
        return StoreChanges(mark: StoreMark(changeCount: 0), logs: [])
      }
      // After a larger mark, which a database had before it was restored, every log may have changed.
      let start = mark.map { $0.changeCount <= space.changeCount ? $0.changeCount : 0 } ?? 0
      let logs = try space.logs(where: "changed > ?", after: start)
      return StoreChanges(mark: StoreMark(changeCount: space.changeCount), logs: logs)
    }
  }

  package func compareAndSetHead(
    of space: SpaceID, from expected: ContentDigest?, to head: ContentDigest
  ) async throws(SyncStorageFailure) -> StoreHeadResult {
    try await write { db in
      var space = try SQLiteSpace.findOrMake(space, db)
      guard space.head == expected else { return .conflict(current: space.head) }
      try space.move(to: head)
      return .moved
    }
  }

  // MARK: - Access to the database

  private func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(SyncStorageFailure) -> Value {
    do { return try await pool.read(body) } catch { throw Self.failure(error) }
  }

  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(SyncStorageFailure) -> Value {
    do { return try await pool.write(body) } catch { throw Self.failure(error) }
  }

  private static func failure(_ error: any Error) -> SyncStorageFailure {
    switch error {
    case let error as SyncStorageFailure: error
    case let error as DatabaseError:
      switch error.resultCode {
      case .SQLITE_FULL: .full
      case .SQLITE_BUSY, .SQLITE_LOCKED: .unavailable(retryAfter: .seconds(1))
      default: .failed(code: "\(error.extendedResultCode.rawValue)")
      }
    default: .unavailable(retryAfter: .seconds(1))
    }
  }
}
