/// A store of sealed chunks and member records, which learns nothing of their contents. Its five verbs: put if absent, get, list
/// after, compare-and-set head, delete. The others save round trips, of which one may take 200 ms.
package protocol SyncStoreProtocol: Sendable {
  /// Stores an object, whole or not at all, unless its key has one.
  func putIfAbsent(_ bytes: [UInt8], at key: StoreKey) async throws(StoreFailure) -> StorePutResult

  /// Stores objects in their order, each unless its key has one, and stops after the first conflict. Returns the results of the
  /// objects up to there. If it throws, some of the first objects may be stored, each whole; putting all again is safe.
  func put(_ objects: [StoreObject]) async throws(StoreFailure) -> [StorePutResult]

  /// Returns an object, or `nil` if there is none.
  func get(_ key: StoreKey) async throws(StoreFailure) -> [UInt8]?

  /// Returns which objects of a log follow a sequence, at most `limit`.
  func list(_ log: StoreLog, after sequence: UInt64, limit: Int) async throws(StoreFailure) -> StoreListing

  /// Returns the first objects of a log whose sequences are in `range`: at least one if there is one, and then as many as
  /// have at most `byteLimit` bytes together. A store may return fewer.
  func objects(
    of log: StoreLog, in range: ClosedRange<UInt64>, byteLimit: Int
  ) async throws(StoreFailure) -> StoreObjects

  /// Returns the logs of a space, in the order of stations and kinds.
  func logs(of space: SpaceID) async throws(StoreFailure) -> [StoreLog]

  /// Waits until something of a space is put, deleted or moved after `mark`, at most for a time. Without a mark, and if it has
  /// changed already, it returns at once. Returns `nil` if the store cannot wait, as a folder.
  ///
  /// The result is a hint. A store that was restored from a backup may not name every changed log.
  func waitForChange(
    of space: SpaceID, after mark: StoreMark?, atMost time: Duration
  ) async throws(StoreFailure) -> StoreChanges?

  /// Returns the spaces of which the store has something, in order.
  func spaces() async throws(StoreFailure) -> [SpaceID]

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

  /// Returns the first objects of a log after a sequence, as `objects(of:in:byteLimit:)`.
  package func objects(
    of log: StoreLog, after sequence: UInt64, byteLimit: Int = 1 << 20
  ) async throws(StoreFailure) -> StoreObjects {
    guard sequence < .max else { return StoreObjects(objects: [], isWhole: true) }
    return try await objects(of: log, in: (sequence + 1)...UInt64.max, byteLimit: byteLimit)
  }

  /// Returns the last sequence of a log, or 0 if the store has nothing of it.
  package func lastSequence(of log: StoreLog) async throws(StoreFailure) -> UInt64 {
    var last: UInt64 = 0
    while true {
      let listing = try await list(log, after: last, limit: 4096)
      guard let most = listing.sequences.max(), most > last else { return last }
      last = most
      if listing.isWhole { return last }
    }
  }

  // MARK: - Stores without operations on several objects

  package func put(_ objects: [StoreObject]) async throws(StoreFailure) -> [StorePutResult] {
    var results: [StorePutResult] = []
    for object in objects {
      let result = try await putIfAbsent(object.bytes, at: object.key)
      results.append(result)
      if case .conflict = result { break }
    }
    return results
  }

  package func objects(
    of log: StoreLog, in range: ClosedRange<UInt64>, byteLimit: Int
  ) async throws(StoreFailure) -> StoreObjects {
    var (objects, size): ([StoredChunk], Int) = ([], 0)
    var after = max(range.lowerBound, 1) - 1
    while true {
      let listing = try await list(log, after: after, limit: 256)
      for sequence in listing.sequences where range.contains(sequence) {
        // It may be deleted since.
        guard let bytes = try await get(StoreKey(log: log, sequence: sequence)) else { continue }
        guard objects.isEmpty || bytes.count <= byteLimit - size else {
          return StoreObjects(objects: objects, isWhole: false)
        }
        objects.append(StoredChunk(sequence: sequence, bytes: bytes))
        size += bytes.count
      }
      guard !listing.isWhole, let last = listing.sequences.max(), last > after, last < range.upperBound else {
        return StoreObjects(objects: objects, isWhole: true)
      }
      // What was listed was deleted since.
      guard objects.isEmpty else { return StoreObjects(objects: objects, isWhole: false) }
      after = last
    }
  }

  package func waitForChange(
    of space: SpaceID, after mark: StoreMark?, atMost time: Duration
  ) async throws(StoreFailure) -> StoreChanges? { nil }
}
