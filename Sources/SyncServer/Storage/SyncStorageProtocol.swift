import Sync

/// The database of a sync server. When an operation returns, what it changed is on the disk. Each changes all of what belongs together
/// or nothing: objects, the bytes of their space, and its count of changes.
package protocol SyncStorageProtocol: Sendable {
  // MARK: - Tokens

  /// Returns the token with a digest, or `nil` if there is none.
  func token(_ digest: ContentDigest) async throws(SyncStorageFailure) -> SyncToken?

  /// Binds a token to a space unless it is bound already. Returns its space, or `nil` if the token is gone.
  func bind(_ token: ContentDigest, to space: SpaceID) async throws(SyncStorageFailure) -> SpaceID?

  func add(_ token: SyncToken) async throws(SyncStorageFailure)

  /// Deletes a token. Returns whether there was one.
  func revoke(name: String) async throws(SyncStorageFailure) -> Bool

  /// Returns all tokens by their names.
  func tokens() async throws(SyncStorageFailure) -> [SyncTokenUse]

  // MARK: - Objects

  /// Returns whether anything was ever stored in a space.
  func hasSpace(_ space: SpaceID) async throws(SyncStorageFailure) -> Bool

  /// Puts objects in their order, each if absent, up to the first conflict, and as long as the space has at most `quota` bytes.
  func put(
    _ objects: [StoreObject], in space: SpaceID, quota: Int64?
  ) async throws(SyncStorageFailure) -> SyncPutOutcome

  func get(_ key: StoreKey) async throws(SyncStorageFailure) -> [UInt8]?

  func list(_ log: StoreLog, after sequence: UInt64, limit: Int) async throws(SyncStorageFailure) -> StoreListing

  func objects(
    of log: StoreLog, in range: ClosedRange<UInt64>, byteLimit: Int
  ) async throws(SyncStorageFailure) -> StoreObjects

  func logs(of space: SpaceID) async throws(SyncStorageFailure) -> [StoreLog]

  /// Deletes an object but its first bytes. Returns whether there was one.
  func delete(_ key: StoreKey, keeping keptLength: Int) async throws(SyncStorageFailure) -> Bool

  // MARK: - Changes

  /// Returns what changed in a space after a mark, at once.
  func changes(of space: SpaceID, after mark: StoreMark?) async throws(SyncStorageFailure) -> StoreChanges

  func compareAndSetHead(
    of space: SpaceID, from expected: ContentDigest?, to head: ContentDigest
  ) async throws(SyncStorageFailure) -> StoreHeadResult
}

extension SyncStorageProtocol {
  /// The bytes that an object counts beside its own, so that very many very short ones reach a quota, too.
  package static var objectOverhead: Int64 { 128 }
  /// The maximum number of objects that are read at once.
  package static var mostObjects: Int { 4096 }
}
