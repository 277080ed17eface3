import HTTPClient
import HTTPTypes
import Sync
import SyncHTTPStore
import SyncTestKit
import TachogramCore
import TachogramTestKit
import Testing

@testable import SyncServer

@Suite("Limits of a sync server", .timeLimit(.minutes(3)))
struct LimitTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: SyncDatabaseChoice.allCases)
  func testQuota_IsOfTheSpace_AndFreeAgainAfterDeletion(choice: SyncDatabaseChoice) async throws {
    let database = try await choice.make(in: folder)
    try await TestServer.run(over: database) { server in
      // A log and three objects, with 128 bytes each.
      let store = server.store(try await server.token("a", quota: 4 * 128 + 300))
      let other = server.store(try await server.token("b", quota: 4 * 128 + 300))
      func object(_ sequence: UInt64, _ count: Int) -> StoreObject {
        StoreObject(key: Planted.key(sequence), bytes: [UInt8](repeating: 1, count: count))
      }
      #expect(try await store.put([object(1, 100), object(2, 100)]) == [.stored, .stored])
      // What fits is stored.
      await #expect(throws: StoreFailure.full) { try await other.put([object(3, 100), object(4, 1)]) }
      #expect(try await other.list(Planted.log(), after: 0, limit: 9).sequences == [1, 2, 3])
      await #expect(throws: StoreFailure.full) { try await store.putIfAbsent([1], at: Planted.key(4)) }
      #expect(try await store.put([object(1, 100), object(3, 100)]) == [.unchanged, .unchanged])
      #expect(try await SyncTokenStorage(database).tokens().map(\.byteCount) == [812, 812])
      // The header of an object stays.
      #expect(try await store.delete(Planted.key(1), keeping: 40))
      #expect(try await SyncTokenStorage(database).tokens().map(\.byteCount) == [752, 752])
      await #expect(throws: StoreFailure.full) { try await store.putIfAbsent([1], at: Planted.key(4)) }
      #expect(try await store.delete(Planted.key(2), keeping: 0))
      #expect(try await store.putIfAbsent([1], at: Planted.key(4)) == .stored)
      #expect(try await SyncTokenStorage(database).tokens().map(\.byteCount) == [653, 653])
    }
  }

  @Test(arguments: SyncDatabaseChoice.allCases)
  func testFullSpace_TakesSmallObjectsFromAReserve(choice: SyncDatabaseChoice) async throws {
    let database = try await choice.make(in: folder)
    try await TestServer.run(over: database) { server in
      let store = server.store(try await server.token("a", quota: 64_000))
      func put(_ sequence: UInt64, _ count: Int) async throws {
        _ = try await store.putIfAbsent([UInt8](repeating: 1, count: count), at: Planted.key(sequence))
      }
      for sequence in 1...6 as ClosedRange<UInt64> { try await put(sequence, 10_000) }
      await #expect(throws: StoreFailure.full) { try await put(7, 5_000) }
      // The edit by which a session is deleted; then the reserve is used up.
      try await put(7, 3_000)
      try await put(8, 500)
      await #expect(throws: StoreFailure.full) { try await put(9, 800) }
    }
  }

  @Test func testRate_IsOfTheToken_AndFillsAgain() async throws {
    let time = ManualTimeSource()
    try await TestServer.run(over: try SQLiteDatabase(path: folder.path("s.sqlite")), rate: 0.5, time: time) { server in
      let (store, other) = (server.store(try await server.token("a")), server.store(try await server.token("b")))
      for _ in 0..<5 { _ = try await store.spaces() }
      await #expect(throws: StoreFailure.unavailable(retryAfter: .seconds(2))) { try await store.spaces() }
      _ = try await other.spaces()
      time.advance(seconds: 1)
      await #expect(throws: StoreFailure.unavailable(retryAfter: .seconds(1))) { try await store.spaces() }
      time.advance(seconds: 1)
      _ = try await store.spaces()
      await #expect(throws: StoreFailure.unavailable(retryAfter: .seconds(2))) { try await store.spaces() }
      time.advance(seconds: 3600)
      for _ in 0..<5 { _ = try await store.spaces() }
      await #expect(throws: StoreFailure.unavailable(retryAfter: .seconds(2))) { try await store.spaces() }
    }
  }

  @Test func testLongPoll_WakesAtOnce_WhenAnotherClientPuts() async throws {
    // Time stands still, so that only a change can end the waits.
    try await TestServer.run(over: try SQLiteDatabase(path: folder.path("s.sqlite")), time: ManualTimeSource()) {
      server in
      let token = try await server.token("a")
      let other = server.store(try await server.token("b"))
      _ = try await other.putIfAbsent([1], at: Planted.key(1))
      let mark = try await other.waitForChange(of: Planted.space, after: nil, atMost: .seconds(50))?.mark
      async let first = server.store(token).waitForChange(of: Planted.space, after: mark, atMost: .seconds(50))
      async let second = server.store(token).waitForChange(of: Planted.space, after: mark, atMost: .seconds(50))
      _ = try await other.putIfAbsent([1], at: Planted.key(2))
      #expect(try await first?.logs == [Planted.log()])
      #expect(try await second?.logs == [Planted.log()])
      // The head of the members is no log.
      let next = try await first?.mark
      async let third = server.store(token).waitForChange(of: Planted.space, after: next, atMost: .seconds(50))
      _ = try await other.compareAndSetHead(of: Planted.space, from: nil, to: ContentDigest(of: []))
      let moved = try await third
      #expect(moved?.logs == [] && moved?.mark != next)
    }
  }

  @Test func testLongPoll_EndsAfterItsTime_AndWithTheServer() async throws {
    let time = ManualTimeSource()
    let database = try SQLiteDatabase(path: folder.path("s.sqlite"))
    let store = try await TestServer.run(over: database, time: time) { server in
      let store = server.store(try await server.token("a"))
      _ = try await store.putIfAbsent([1], at: Planted.key(1))
      let mark = try await store.waitForChange(of: Planted.space, after: nil, atMost: .zero)?.mark
      async let waited = store.waitForChange(of: Planted.space, after: mark, atMost: .seconds(50))
      await time.waitForSleeper()
      time.advance(seconds: 51)
      let changes = try await waited
      #expect(changes?.mark == mark && changes?.logs == [])
      // The next one is open when the server is asked to stop.
      let last = Task { try await store.waitForChange(of: Planted.space, after: mark, atMost: .seconds(50)) }
      await time.waitForSleeper()
      return (last, mark)
    }
    #expect(try await store.0.value?.mark == store.1)
  }

  @Test func testWaitsOfOneToken_AreLimited() {
    let hub = ChangeHub(most: 2, time: ManualTimeSource())
    let (token, other) = (ContentDigest(of: [1]), ContentDigest(of: [2]))
    var first = hub.waiter(for: Planted.space, token: token)
    let second = hub.waiter(for: Planted.otherSpace, token: token)
    #expect(first != nil && second != nil && hub.waiter(for: Planted.space, token: token) == nil)
    #expect(hub.waiter(for: Planted.space, token: other) != nil)
    first = nil
    #expect(hub.waiter(for: Planted.space, token: token) != nil)
    withExtendedLifetime(second) {}
  }

  @Test func testMemory_IsKeptForKnownTokens() {
    let budget = BodyBudget(limits: BodyBudget.Limits(known: 100, token: 60, unknown: 30))
    let (token, other) = (ContentDigest(of: [1]), ContentDigest(of: [2]))
    let unknown = budget.place(for: token, count: 20)
    #expect(unknown != nil && budget.place(for: nil, count: 20) == nil)
    budget.remember(token, isValid: true)
    budget.remember(other, isValid: true)
    var first = budget.place(for: token, count: 60)
    #expect(first != nil && budget.place(for: token, count: 1) == nil)
    let second = budget.place(for: other, count: 40)
    #expect(second != nil && budget.place(for: other, count: 1) == nil)
    first = nil
    #expect(budget.place(for: other, count: 20) != nil)
    budget.remember(other, isValid: false)
    #expect(budget.place(for: other, count: 20) == nil)
    withExtendedLifetime((unknown, second)) {}
  }
}
