import Sync
import Testing

/// The behaviour of every `SyncStoreProtocol`. Run `check()` against an empty store.
package struct StoreContract: Sendable {
  private let store: any SyncStoreProtocol
  private let reopened: @Sendable () -> any SyncStoreProtocol
  private let space = SpaceID(digest: ContentDigest(of: [1]))
  /// `nil` if a client of the store has one space only.
  private let otherSpace: SpaceID?

  /// Creates a contract. `reopened` returns the store as another process sees it.
  package init(
    _ store: any SyncStoreProtocol, hasSeveralSpaces: Bool = true,
    reopened: @escaping @Sendable () -> any SyncStoreProtocol,
  ) {
    self.store = store
    self.reopened = reopened
    otherSpace = hasSeveralSpaces ? SpaceID(digest: ContentDigest(of: [2])) : nil
  }

  private func log(_ number: UInt8, _ kind: StoreLog.Kind = .chunks, of other: SpaceID? = nil) -> StoreLog {
    StoreLog(space: other ?? space, station: StationID(digest: ContentDigest(of: [number])), kind: kind)
  }

  private func key(_ sequence: UInt64, _ number: UInt8 = 1) -> StoreKey {
    StoreKey(log: log(number), sequence: sequence)
  }

  /// Checks the whole contract.
  package func check() async throws {
    #expect(try await store.spaces() == [])
    try await putAndGet()
    try await list()
    try await delete()
    try await heads()
    try await limits()
    try await writers()
    try await several()
    try await changes()
  }

  private func putAndGet() async throws {
    #expect(try await store.get(key(1)) == nil)
    #expect(try await store.putIfAbsent([1, 2], at: key(1)) == .stored)
    #expect(try await store.putIfAbsent([1, 2], at: key(1)) == .unchanged)
    #expect(try await store.putIfAbsent([3], at: key(1)) == .conflict(existing: [1, 2]))
    #expect(try await reopened().get(key(1)) == [1, 2])
    #expect(try await store.get(StoreKey(log: log(1, .members), sequence: 1)) == nil)
    #expect(try await store.spaces() == [space])
    guard let otherSpace else { return }
    #expect(try await store.get(StoreKey(log: log(1, of: otherSpace), sequence: 1)) == nil)
  }

  private func list() async throws {
    #expect(try await store.list(log(2), after: 0, limit: 5) == StoreListing(sequences: [], isWhole: true))
    for sequence in [300, 4, 5, 17, UInt64(Int64.max)] {
      #expect(try await store.putIfAbsent([9], at: key(sequence, 2)) == .stored)
    }
    let listing = try await reopened().list(log(2), after: 4, limit: 2)
    #expect(listing == StoreListing(sequences: [5, 17], isWhole: false))
    let rest = try await reopened().list(log(2), after: 17, limit: 2)
    #expect(rest == StoreListing(sequences: [300, UInt64(Int64.max)], isWhole: true))
    #expect(try await store.putIfAbsent([9], at: StoreKey(log: log(1, .members), sequence: 1)) == .stored)
    #expect(Set(try await reopened().logs(of: space)) == [log(1), log(2), log(1, .members)])
    guard let otherSpace else { return }
    #expect(try await store.putIfAbsent([9], at: StoreKey(log: log(7, of: otherSpace), sequence: 1)) == .stored)
    #expect(try await reopened().logs(of: otherSpace) == [log(7, of: otherSpace)])
    #expect(Set(try await store.spaces()) == [space, otherSpace])
  }

  private func delete() async throws {
    #expect(try await store.putIfAbsent(Array(0..<100), at: key(1, 3)) == .stored)
    #expect(try await store.delete(key(1, 3), keeping: 40))
    #expect(try await reopened().get(key(1, 3)) == Array(0..<40))
    #expect(try await store.list(log(3), after: 0, limit: 9).sequences == [1])
    // A station that uploads again what was deleted learns of it.
    #expect(try await store.putIfAbsent(Array(0..<100), at: key(1, 3)) == .conflict(existing: Array(0..<40)))
    #expect(try await store.delete(key(1, 3), keeping: 0))
    #expect(try await store.get(key(1, 3)) == nil)
    #expect(try await !store.delete(key(1, 3), keeping: 0))
    #expect(try await store.putIfAbsent([5], at: key(1, 3)) == .stored)
  }

  private func heads() async throws {
    let digests = (0..<3).map { ContentDigest(of: [$0]) }
    let first = try await store.compareAndSetHead(of: space, from: nil, to: digests[0])
    guard first != .notSupported else {
      #expect(try await store.compareAndSetHead(of: space, from: digests[0], to: digests[1]) == .notSupported)
      return
    }
    #expect(first == .moved)
    #expect(
      try await store.compareAndSetHead(of: space, from: nil, to: digests[1]) == .conflict(current: digests[0]))
    #expect(try await store.compareAndSetHead(of: space, from: digests[0], to: digests[1]) == .moved)
    guard let otherSpace else { return }
    #expect(
      try await store.compareAndSetHead(of: otherSpace, from: digests[1], to: digests[0]) == .conflict(current: nil))
  }

  private func limits() async throws {
    let longest = [UInt8](repeating: 7, count: EnvelopeHeader.byteCount + EnvelopeHeader.longestBody)
    #expect(try await store.putIfAbsent(longest, at: key(1, 4)) == .stored)
    #expect(try await reopened().get(key(1, 4)) == longest)
    await #expect(throws: StoreFailure.tooLarge(limit: longest.count)) {
      try await store.putIfAbsent(longest + [1], at: key(2, 4))
    }
  }

  /// Of several that put different objects at once, exactly one succeeds.
  private func writers() async throws {
    let store = store
    let key = key(1, 5)
    let results = try await withThrowingTaskGroup(of: StorePutResult.self) { group in
      for number in 0..<8 as Range<UInt8> {
        group.addTask { try await store.putIfAbsent([UInt8](repeating: number, count: 5000), at: key) }
      }
      return try await group.reduce(into: [StorePutResult]()) { $0.append($1) }
    }
    #expect(results.count { $0 == .stored } == 1)
    let winner = try #require(try await store.get(key))
    #expect(results.allSatisfy { $0 == .stored || $0 == .conflict(existing: winner) })
  }

  private func several() async throws {
    func object(_ sequence: UInt64, _ count: Int, _ value: UInt8) -> StoreObject {
      StoreObject(key: key(sequence, 6), bytes: [UInt8](repeating: value, count: count))
    }
    #expect(try await store.put([]) == [])
    let all = try await store.objects(of: log(6), after: 0)
    #expect(all == StoreObjects(objects: [], isWhole: true))
    // The members of a space may be in the same request as its chunks.
    let member = StoreObject(key: StoreKey(log: log(6, .members), sequence: 1), bytes: [1])
    let first = [object(1, 1000, 1), object(2, 1000, 2), object(4, 1, 4), member]
    #expect(try await store.put(first) == [.stored, .stored, .stored, .stored])
    #expect(try await reopened().put(first) == [.unchanged, .unchanged, .unchanged, .unchanged])
    // What follows a conflict is not stored.
    let second = [object(1, 1000, 1), object(3, 10, 3), object(2, 9, 2), object(5, 10, 5)]
    let conflict = StorePutResult.conflict(existing: first[1].bytes)
    #expect(try await store.put(second) == [.unchanged, .stored, conflict])
    #expect(try await store.get(key(5, 6)) == nil)
    let stored = [first[0], first[1], second[1], first[2]].map {
      StoredChunk(sequence: $0.key.sequence, bytes: $0.bytes)
    }
    // At least one, whatever the limit is.
    for (limit, count) in [(0, 1), (999, 1), (1000, 1), (1999, 1), (2000, 2), (2010, 3), (2011, 4), (1 << 20, 4)] {
      let read = try await reopened().objects(of: log(6), after: 0, byteLimit: limit)
      #expect(read == StoreObjects(objects: Array(stored.prefix(count)), isWhole: count == 4), "\(limit) bytes")
    }
    let middle = try await store.objects(of: log(6), in: 2...3, byteLimit: 1 << 20)
    #expect(middle == StoreObjects(objects: Array(stored[1...2]), isWhole: true))
    let part = try await store.objects(of: log(6), in: 2...3, byteLimit: 1000)
    #expect(part == StoreObjects(objects: [stored[1]], isWhole: false))
    #expect(try await store.objects(of: log(6), after: 4) == StoreObjects(objects: [], isWhole: true))
    #expect(try await store.objects(of: log(6), after: .max) == StoreObjects(objects: [], isWhole: true))
  }

  private func changes() async throws {
    guard let start = try await store.waitForChange(of: space, after: nil, atMost: .zero) else { return }
    #expect(Set(start.logs) == Set(try await store.logs(of: space)))
    let same = try await store.waitForChange(of: space, after: start.mark, atMost: .zero)
    #expect(same == StoreChanges(mark: start.mark, logs: []))
    // A change of another client ends the wait.
    async let waited = store.waitForChange(of: space, after: start.mark, atMost: .seconds(60))
    #expect(try await reopened().putIfAbsent([1], at: key(1, 8)) == .stored)
    let put = try #require(try await waited)
    #expect(put.mark != start.mark && put.logs == [log(8)])
    // What is unchanged is no change.
    #expect(try await store.putIfAbsent([1], at: key(1, 8)) == .unchanged)
    #expect(try await store.waitForChange(of: space, after: put.mark, atMost: .zero)?.mark == put.mark)
    #expect(try await store.delete(key(1, 8), keeping: 0))
    #expect(try await store.putIfAbsent([1], at: key(1, 9)) == .stored)
    // A change before the wait ends it at once.
    let second = try await store.waitForChange(of: space, after: put.mark, atMost: .seconds(60))
    let later = try #require(second)
    #expect(Set(later.logs).isSubset(of: [log(8), log(9)]) && later.logs.contains(log(9)))
    // A mark of a store before it was restored.
    let unknown = StoreMark(changeCount: later.mark.changeCount + 1000)
    let third = try await store.waitForChange(of: space, after: unknown, atMost: .seconds(60))
    let restored = try #require(third)
    let all = Set(try await store.logs(of: space))
    #expect(restored.mark == later.mark && all.isSubset(of: restored.logs))
  }
}
