import Sync

/// A store that cannot be reached any more after some calls. The last call may be carried out without its answer.
package actor FailingStore: SyncStoreProtocol {
  private let store: any SyncStoreProtocol
  private var rest: Int
  private let isStored: Bool

  package init(_ store: any SyncStoreProtocol, after count: Int, isStored: Bool) {
    (self.store, rest, self.isStored) = (store, count, isStored)
  }

  private func call<Value>(_ body: () async throws(StoreFailure) -> Value) async throws(StoreFailure) -> Value {
    rest -= 1
    guard rest >= 0 else {
      if rest == -1, isStored { _ = try await body() }
      throw .unavailable(retryAfter: nil)
    }
    return try await body()
  }

  package func putIfAbsent(_ bytes: [UInt8], at key: StoreKey) async throws(StoreFailure) -> StorePutResult {
    try await call { () async throws(StoreFailure) in try await store.putIfAbsent(bytes, at: key) }
  }

  package func get(_ key: StoreKey) async throws(StoreFailure) -> [UInt8]? {
    try await call { () async throws(StoreFailure) in try await store.get(key) }
  }

  package func list(_ log: StoreLog, after sequence: UInt64, limit: Int) async throws(StoreFailure) -> StoreListing {
    try await call { () async throws(StoreFailure) in try await store.list(log, after: sequence, limit: limit) }
  }

  package func logs(of space: SpaceID) async throws(StoreFailure) -> [StoreLog] {
    try await call { () async throws(StoreFailure) in try await store.logs(of: space) }
  }

  package func spaces() async throws(StoreFailure) -> [SpaceID] {
    try await call { () async throws(StoreFailure) in try await store.spaces() }
  }

  package func compareAndSetHead(
    of space: SpaceID, from expected: ContentDigest?, to head: ContentDigest
  ) async throws(StoreFailure) -> StoreHeadResult {
    try await call { () async throws(StoreFailure) in
      try await store.compareAndSetHead(of: space, from: expected, to: head)
    }
  }

  package func delete(_ key: StoreKey, keeping keptLength: Int) async throws(StoreFailure) -> Bool {
    try await call { () async throws(StoreFailure) in try await store.delete(key, keeping: keptLength) }
  }
}
