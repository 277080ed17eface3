@testable import Sync

/// A store that lies about what it has.
struct LyingStore: SyncStoreProtocol {
  let store: MemoryStore
  /// Objects that it denies to have.
  var denied: Set<StoreKey> = []
  /// Objects that it returns in the place of others.
  var replaced: [StoreKey: [UInt8]] = [:]
  /// The end of a log that it admits.
  var end: UInt64 = .max
  /// Whether it lists objects backwards, each twice.
  var isDisordered = false

  init(_ store: MemoryStore) {
    self.store = store
  }

  func putIfAbsent(_ bytes: [UInt8], at key: StoreKey) async throws(StoreFailure) -> StorePutResult {
    try await store.putIfAbsent(bytes, at: key)
  }

  func get(_ key: StoreKey) async throws(StoreFailure) -> [UInt8]? {
    if denied.contains(key) || key.sequence > end { return nil }
    if let bytes = replaced[key] { return bytes }
    return await store.get(key)
  }

  func list(_ log: StoreLog, after sequence: UInt64, limit: Int) async throws(StoreFailure) -> StoreListing {
    let listing = await store.list(log, after: sequence, limit: limit)
    let added = replaced.keys.filter { $0.log == log && $0.sequence > sequence }.map(\.sequence)
    let shown = Set(listing.sequences + added).sorted().filter {
      $0 <= end && !denied.contains(StoreKey(log: log, sequence: $0))
    }
    return StoreListing(
      sequences: isDisordered ? shown.reversed() + shown : shown, isWhole: listing.isWhole)
  }

  func spaces() async throws(StoreFailure) -> [SpaceID] { await store.spaces() }

  func logs(of space: SpaceID) async throws(StoreFailure) -> [StoreLog] { await store.logs(of: space) }

  func compareAndSetHead(
    of space: SpaceID, from expected: ContentDigest?, to head: ContentDigest
  ) async throws(StoreFailure) -> StoreHeadResult {
    await store.compareAndSetHead(of: space, from: expected, to: head)
  }

  func delete(_ key: StoreKey, keeping keptLength: Int) async throws(StoreFailure) -> Bool {
    await store.delete(key, keeping: keptLength)
  }
}
