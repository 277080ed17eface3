import Sync

/// A store with limited room. Deleting makes room.
package actor LimitedStore: SyncStoreProtocol {
  private let store: any SyncStoreProtocol
  /// The room that is left, in bytes.
  private var room: Int

  package init(_ store: any SyncStoreProtocol, room: Int) {
    (self.store, self.room) = (store, room)
  }

  package func addRoom(_ bytes: Int) { room += bytes }

  package func putIfAbsent(_ bytes: [UInt8], at key: StoreKey) async throws(StoreFailure) -> StorePutResult {
    guard bytes.count <= room else { throw .full }
    let result = try await store.putIfAbsent(bytes, at: key)
    if result == .stored { room -= bytes.count }
    return result
  }

  package func get(_ key: StoreKey) async throws(StoreFailure) -> [UInt8]? { try await store.get(key) }

  package func list(_ log: StoreLog, after sequence: UInt64, limit: Int) async throws(StoreFailure) -> StoreListing {
    try await store.list(log, after: sequence, limit: limit)
  }

  package func spaces() async throws(StoreFailure) -> [SpaceID] { try await store.spaces() }

  package func logs(of space: SpaceID) async throws(StoreFailure) -> [StoreLog] { try await store.logs(of: space) }

  package func compareAndSetHead(
    of space: SpaceID, from expected: ContentDigest?, to head: ContentDigest
  ) async throws(StoreFailure) -> StoreHeadResult {
    try await store.compareAndSetHead(of: space, from: expected, to: head)
  }

  package func delete(_ key: StoreKey, keeping keptLength: Int) async throws(StoreFailure) -> Bool {
    let before = try await store.get(key)?.count ?? 0
    let isDeleted = try await store.delete(key, keeping: keptLength)
    if isDeleted { room += max(0, before - keptLength) }
    return isDeleted
  }
}
