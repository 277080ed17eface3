/// A store in memory.
package actor MemoryStore: SyncStoreProtocol {
  private var objects: [StoreLog: [UInt64: [UInt8]]] = [:]
  private var heads: [SpaceID: ContentDigest] = [:]
  /// The number of bytes for which there is room.
  private var room: Int

  package init(room: Int = .max) {
    self.room = room
  }

  package func putIfAbsent(_ bytes: [UInt8], at key: StoreKey) throws(StoreFailure) -> StorePutResult {
    guard bytes.count <= Self.longestObject else { throw .tooLarge(limit: Self.longestObject) }
    if let existing = objects[key.log]?[key.sequence] {
      return existing == bytes ? .unchanged : .conflict(existing: existing)
    }
    guard bytes.count <= room else { throw .full }
    room -= bytes.count
    objects[key.log, default: [:]][key.sequence] = bytes
    return .stored
  }

  package func get(_ key: StoreKey) -> [UInt8]? { objects[key.log]?[key.sequence] }

  package func list(_ log: StoreLog, after sequence: UInt64, limit: Int) -> StoreListing {
    let all = (objects[log] ?? [:]).keys.filter { $0 > sequence }.sorted()
    return StoreListing(sequences: Array(all.prefix(limit)), isWhole: all.count <= limit)
  }

  package func logs(of space: SpaceID) -> [StoreLog] {
    objects.filter { $0.key.space == space && !$0.value.isEmpty }.keys.sorted {
      ($0.station, $0.kind.rawValue) < ($1.station, $1.kind.rawValue)
    }
  }

  package func compareAndSetHead(
    of space: SpaceID, from expected: ContentDigest?, to head: ContentDigest
  ) -> StoreHeadResult {
    guard heads[space] == expected else { return .conflict(current: heads[space]) }
    heads[space] = head
    return .moved
  }

  @discardableResult
  package func delete(_ key: StoreKey, keeping keptLength: Int) -> Bool {
    guard let existing = objects[key.log]?[key.sequence] else { return false }
    let kept = Array(existing.prefix(max(0, keptLength)))
    room += existing.count - kept.count
    objects[key.log]?[key.sequence] = kept.isEmpty ? nil : kept
    return true
  }
}
