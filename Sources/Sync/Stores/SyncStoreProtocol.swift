/// A store of sealed chunks and member records, which learns nothing of their contents. Its five verbs: put if absent, get, list
/// after, compare-and-set head, delete.
package protocol SyncStoreProtocol: Sendable {
  /// Stores an object, whole or not at all, unless its key has one.
  func putIfAbsent(_ bytes: [UInt8], at key: StoreKey) async throws(StoreFailure) -> StorePutResult

  /// Returns an object, or `nil` if there is none.
  func get(_ key: StoreKey) async throws(StoreFailure) -> [UInt8]?

  /// Returns which objects of a log follow a sequence, at most `limit`.
  func list(_ log: StoreLog, after sequence: UInt64, limit: Int) async throws(StoreFailure) -> StoreListing

  /// Returns the logs of a space, in the order of stations and kinds.
  func logs(of space: SpaceID) async throws(StoreFailure) -> [StoreLog]

  /// Moves the head of the member records of a space, if it is `expected`.
  func compareAndSetHead(
    of space: SpaceID, from expected: ContentDigest?, to head: ContentDigest
  ) async throws(StoreFailure) -> StoreHeadResult

  /// Deletes an object but its first `keptLength` bytes, which are 0 or the length of its header. Returns whether there was one.
  @discardableResult
  func delete(_ key: StoreKey, keeping keptLength: Int) async throws(StoreFailure) -> Bool
}

extension SyncStoreProtocol {
  /// The maximum length of an object, in bytes.
  package static var longestObject: Int { EnvelopeHeader.byteCount + EnvelopeHeader.longestBody }
}
