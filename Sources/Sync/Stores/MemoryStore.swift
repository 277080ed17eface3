/// A store in memory.
package actor MemoryStore: SyncStoreProtocol {
  private var objects: [StoreLog: [UInt64: [UInt8]]] = [:]
  private var heads: [SpaceID: ContentDigest] = [:]
  /// The number of bytes for which there is room.
  private var room: Int
  private var changeCounts: [SpaceID: Int64] = [:]
  /// The count of changes of the space at the last change of each log.
  private var lastChanges: [StoreLog: Int64] = [:]
  /// Those who wait for a change.
  private var waiters: [Int: Waiter] = [:]
  private var waiterCount = 0

  private struct Waiter {
    let space: SpaceID
    let continuation: CheckedContinuation<Void, Never>
  }

  /// The length of all objects, in bytes.
  package var size: Int { objects.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } } }

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
    reportChange(of: key.log.space, in: key.log)
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

  package func spaces() -> [SpaceID] {
    Set(objects.filter { !$0.value.isEmpty }.map(\.key.space)).sorted { $0.digest < $1.digest }
  }

  package func compareAndSetHead(
    of space: SpaceID, from expected: ContentDigest?, to head: ContentDigest
  ) -> StoreHeadResult {
    guard heads[space] == expected else { return .conflict(current: heads[space]) }
    heads[space] = head
    reportChange(of: space)
    return .moved
  }

  @discardableResult
  package func delete(_ key: StoreKey, keeping keptLength: Int) -> Bool {
    guard let existing = objects[key.log]?[key.sequence] else { return false }
    let kept = Array(existing.prefix(max(0, keptLength)))
    room += existing.count - kept.count
    objects[key.log]?[key.sequence] = kept.isEmpty ? nil : kept
    reportChange(of: key.log.space, in: key.log)
    return true
  }

  // MARK: - Waiting for changes

  package func waitForChange(of space: SpaceID, after mark: StoreMark?, atMost time: Duration) async -> StoreChanges? {
    if mark == StoreMark(changeCount: changeCounts[space] ?? 0), time > .zero { await wait(for: space, atMost: time) }
    let now = changeCounts[space] ?? 0
    // After a larger mark, which another store gave, every log may have changed.
    let start = mark.map { $0.changeCount <= now ? $0.changeCount : 0 } ?? 0
    let logs = lastChanges.filter { $0.key.space == space && $0.value > start }.keys
      .sorted { ($0.station, $0.kind.rawValue) < ($1.station, $1.kind.rawValue) }
    return StoreChanges(mark: StoreMark(changeCount: now), logs: logs)
  }

  private func wait(for space: SpaceID, atMost time: Duration) async {
    waiterCount += 1
    let number = waiterCount
    let timeout = Task {
      // A cancelled sleep ends the wait, too.
      try? await Task.sleep(for: time)
      self.wake(number)
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiters[number] = Waiter(space: space, continuation: $0) }
    } onCancel: {
      timeout.cancel()
    }
    timeout.cancel()
  }

  private func wake(_ number: Int) { waiters.removeValue(forKey: number)?.continuation.resume() }

  private func reportChange(of space: SpaceID, in log: StoreLog? = nil) {
    let count = changeCounts[space, default: 0] + 1
    changeCounts[space] = count
    if let log { lastChanges[log] = count }
    for (number, waiter) in waiters where waiter.space == space { wake(number) }
  }
}
