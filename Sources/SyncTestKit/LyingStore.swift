import FileSystem
import Glibc
import Sync

/// A store that lies about what it has.
package struct LyingStore: SyncStoreProtocol {
  package let store: any SyncStoreProtocol
  /// Objects that it denies to have.
  package var denied: Set<StoreKey> = []
  /// Objects that it returns in the place of others.
  package var replaced: [StoreKey: [UInt8]] = [:]
  /// The end that it admits of the logs of chunks.
  package var end: UInt64 = .max
  /// A log that this user may not read.
  package var unreadable: StoreLog?
  /// Whether it lists objects backwards, each twice.
  package var isDisordered = false

  package init(_ store: any SyncStoreProtocol) {
    self.store = store
  }

  private func isBeyondEnd(_ key: StoreKey) -> Bool { key.log.kind == .chunks && key.sequence > end }

  package func putIfAbsent(_ bytes: [UInt8], at key: StoreKey) async throws(StoreFailure) -> StorePutResult {
    try await store.putIfAbsent(bytes, at: key)
  }

  package func get(_ key: StoreKey) async throws(StoreFailure) -> [UInt8]? {
    if denied.contains(key) || isBeyondEnd(key) { return nil }
    if let bytes = replaced[key] { return bytes }
    return try await store.get(key)
  }

  package func list(_ log: StoreLog, after sequence: UInt64, limit: Int) async throws(StoreFailure) -> StoreListing {
    if log == unreadable {
      throw .file(AtomicFile.Failure(path: "/store/\(log.station)", action: .read, reason: .system(EACCES)))
    }
    let listing = try await store.list(log, after: sequence, limit: limit)
    let added = replaced.keys.filter { $0.log == log && $0.sequence > sequence }.map(\.sequence)
    let shown = Set(listing.sequences + added).sorted().filter {
      let key = StoreKey(log: log, sequence: $0)
      return !isBeyondEnd(key) && !denied.contains(key)
    }
    return StoreListing(
      sequences: isDisordered ? shown.reversed() + shown : shown, isWhole: listing.isWhole)
  }

  package func spaces() async throws(StoreFailure) -> [SpaceID] { try await store.spaces() }

  package func logs(of space: SpaceID) async throws(StoreFailure) -> [StoreLog] { try await store.logs(of: space) }

  package func compareAndSetHead(
    of space: SpaceID, from expected: ContentDigest?, to head: ContentDigest
  ) async throws(StoreFailure) -> StoreHeadResult {
    try await store.compareAndSetHead(of: space, from: expected, to: head)
  }

  package func delete(_ key: StoreKey, keeping keptLength: Int) async throws(StoreFailure) -> Bool {
    try await store.delete(key, keeping: keptLength)
  }
}
