import Sync

/// What a sync server stores. Each operation changes all of what belongs together or nothing: objects, the bytes of their space, and
/// its count of changes. When it returns, the changes are on the disk.
package struct SyncStorage: Sendable {
  /// The maximum number of objects that are read at once.
  private static let mostObjects = 4096

  private let database: any SyncDatabaseProtocol

  package init(_ database: any SyncDatabaseProtocol) {
    self.database = database
  }

  // MARK: - Objects

  /// Returns whether anything was ever stored in a space.
  func hasSpace(_ space: SpaceID) async throws(SyncStorageFailure) -> Bool {
    try await database.read { sql in try SyncSpaceRow.find(space, sql) != nil }
  }

  /// Puts objects in their order, each if absent, up to the first conflict, and as long as the space has at most `quota` bytes.
  func put(
    _ objects: [StoreObject], in space: SpaceID, quota: Int64?
  ) async throws(SyncStorageFailure) -> SyncPutOutcome {
    try await database.write { sql in
      var row = try SyncSpaceRow.locked(space, sql)
      return try row.put(objects, quota: quota ?? .max)
    }
  }

  func get(_ key: StoreKey) async throws(SyncStorageFailure) -> [UInt8]? {
    try await database.read { sql in
      guard let row = try SyncSpaceRow.find(key.log.space, sql), let log = try row.log(key.log) else { return nil }
      return try row.object(key.sequence, of: log)
    }
  }

  func list(_ log: StoreLog, after sequence: UInt64, limit: Int) async throws(SyncStorageFailure) -> StoreListing {
    try await database.read { sql in
      guard let id = try SyncSpaceRow.find(log.space, sql)?.log(log) else {
        return StoreListing(sequences: [], isWhole: true)
      }
      let all = try sql.rows(
        "SELECT sequence FROM object WHERE log = $1 AND sequence > $2 ORDER BY sequence LIMIT $3",
        [.integer(id), .integer(Int64(clamping: sequence)), .integer(Int64(clamping: limit) + 1)])
      return StoreListing(
        sequences: all.prefix(limit).compactMap { $0[0].integer.map { UInt64($0) } }, isWhole: all.count <= limit)
    }
  }

  func objects(
    of log: StoreLog, in range: ClosedRange<UInt64>, byteLimit: Int
  ) async throws(SyncStorageFailure) -> StoreObjects {
    try await database.read { sql in
      guard let id = try SyncSpaceRow.find(log.space, sql)?.log(log) else {
        return StoreObjects(objects: [], isWhole: true)
      }
      let (first, last) = (Int64(clamping: range.lowerBound), Int64(clamping: range.upperBound))
      let condition = "FROM object WHERE log = $1 AND sequence BETWEEN $2 AND $3 ORDER BY sequence"
      // The lengths first: neither database reads contents for them.
      let lengths = try sql.rows(
        "SELECT sequence, CAST(length(bytes) AS BIGINT) \(condition) LIMIT $4",
        [.integer(id), .integer(first), .integer(last), .integer(Int64(Self.mostObjects))])
      var (end, size): (Int64?, Int64) = (nil, 0)
      let count =
        lengths.firstIndex { row in
          size += row[1].integer ?? 0
          if end != nil, size > byteLimit { return true }
          end = row[0].integer
          return false
        } ?? lengths.count
      guard let end else { return StoreObjects(objects: [], isWhole: true) }
      let rows = try sql.rows("SELECT sequence, bytes \(condition)", [.integer(id), .integer(first), .integer(end)])
      let objects = rows.compactMap { row -> StoredChunk? in
        guard let sequence = row[0].integer, let bytes = row[1].bytes else { return nil }
        return StoredChunk(sequence: UInt64(sequence), bytes: bytes)
      }
      return StoreObjects(objects: objects, isWhole: count == lengths.count && count < Self.mostObjects)
    }
  }

  func logs(of space: SpaceID) async throws(SyncStorageFailure) -> [StoreLog] {
    try await database.read { sql in try SyncSpaceRow.find(space, sql)?.logs() ?? [] }
  }

  /// Deletes an object but its first bytes. Returns whether there was one.
  func delete(_ key: StoreKey, keeping keptLength: Int) async throws(SyncStorageFailure) -> Bool {
    try await database.write { sql in
      guard try SyncSpaceRow.find(key.log.space, sql) != nil else { return false }
      var row = try SyncSpaceRow.locked(key.log.space, sql)
      return try row.delete(key, keeping: keptLength)
    }
  }

  // MARK: - Changes

  /// Returns what changed in a space after a mark, at once.
  func changes(of space: SpaceID, after mark: StoreMark?) async throws(SyncStorageFailure) -> StoreChanges {
    try await database.read { sql in
      guard let row = try SyncSpaceRow.find(space, sql) else {
        return StoreChanges(mark: StoreMark(changeCount: 0), logs: [])
      }
      // After a larger mark, which a database had before it was restored, every log may have changed.
      let start = mark.map { $0.changeCount <= row.changeCount ? $0.changeCount : 0 } ?? 0
      return StoreChanges(mark: StoreMark(changeCount: row.changeCount), logs: try row.logs(after: start))
    }
  }

  func compareAndSetHead(
    of space: SpaceID, from expected: ContentDigest?, to head: ContentDigest
  ) async throws(SyncStorageFailure) -> StoreHeadResult {
    try await database.write { sql in
      var row = try SyncSpaceRow.locked(space, sql)
      guard row.head == expected else { return .conflict(current: row.head) }
      try row.move(to: head)
      return .moved
    }
  }
}
