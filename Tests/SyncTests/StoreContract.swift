import Testing

@testable import Sync

/// What every store must do. `reopened` returns the store as another process sees it.
struct StoreContract {
  let store: any SyncStoreProtocol
  let reopened: @Sendable () -> any SyncStoreProtocol

  private let space = SpaceID(digest: ContentDigest(of: [1]))
  private let otherSpace = SpaceID(digest: ContentDigest(of: [2]))

  init(_ store: any SyncStoreProtocol, reopened: @escaping @Sendable () -> any SyncStoreProtocol) {
    self.store = store
    self.reopened = reopened
  }

  private func log(_ number: UInt8, _ kind: StoreLog.Kind = .chunks, other: Bool = false) -> StoreLog {
    StoreLog(
      space: other ? otherSpace : space, station: StationID(digest: ContentDigest(of: [number])), kind: kind)
  }

  private func key(_ sequence: UInt64, _ number: UInt8 = 1) -> StoreKey {
    StoreKey(log: log(number), sequence: sequence)
  }

  func run() async throws {
    try await putAndGet()
    try await list()
    try await delete()
    try await heads()
    try await limits()
    try await writers()
  }

  private func putAndGet() async throws {
    #expect(try await store.get(key(1)) == nil)
    #expect(try await store.putIfAbsent([1, 2], at: key(1)) == .stored)
    #expect(try await store.putIfAbsent([1, 2], at: key(1)) == .unchanged)
    #expect(try await store.putIfAbsent([3], at: key(1)) == .conflict(existing: [1, 2]))
    #expect(try await reopened().get(key(1)) == [1, 2])
    #expect(try await store.get(StoreKey(log: log(1, .members), sequence: 1)) == nil)
    #expect(try await store.get(StoreKey(log: log(1, other: true), sequence: 1)) == nil)
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
    #expect(try await store.putIfAbsent([9], at: StoreKey(log: log(7, other: true), sequence: 1)) == .stored)
    #expect(Set(try await reopened().logs(of: space)) == [log(1), log(2), log(1, .members)])
    #expect(try await reopened().logs(of: otherSpace) == [log(7, other: true)])
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
    #expect(
      try await store.compareAndSetHead(of: otherSpace, from: digests[1], to: digests[0]) == .conflict(current: nil))
  }

  private func limits() async throws {
    let longest = [UInt8](repeating: 7, count: MemoryStore.longestObject)
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
}
