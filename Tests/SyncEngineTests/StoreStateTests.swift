import Repository
import StressKit
import Sync
import SyncEngine
import SyncTestKit
import TachogramCore
import TachogramTestKit
import Testing

/// Stores that are not there, not whole, full or of another time; and what stations tell people about it.
@Suite("What a store has")
struct StoreStateTests {
  @Test(arguments: StoreChoice.allCases)
  func testStoreThatIsNotMounted_IsNamed_AndNothingIsLost(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      for station in stations { try await station.sync(store) }
      let id = try stations[0].record()
      for empty in [MemoryStore(), MemoryStore()] {
        let error = await #expect(throws: SyncFailure.self) { try await stations[0].sync(empty, isFirst: false) }
        #expect(error?.description.contains("mounted") == true)
        #expect(await empty.size == 0)
      }
      for station in stations { try await station.sync(store) }
      #expect(try stations[1].rows(of: id) == stations[0].rows(of: id))
      // It is really lost.
      let new = MemoryStore()
      for station in stations { _ = try await station.change { try await $0.repair(new) } }
      for station in stations + stations { try await station.sync(new) }
      let phone = try TestStation("phone")
      try await TestSpaces.join(phone, to: stations[0], in: new)
      try await phone.sync(new)
      #expect(try phone.rows(of: id) == stations[0].rows(of: id))
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testFullStore_IsRelievedByDeleting_AndDoesNotPreventReceiving(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      var ids = [try stations[0].record(seconds: 4000)]
      for station in stations + stations { try await station.sync(store) }
      let full = LimitedStore(store, room: 0)
      let other = try stations[1].record(after: .seconds(100_000), seed: 9)
      try await stations[1].sync(store)
      ids.append(try stations[0].record(after: .seconds(7200), seed: 2))
      await #expect(throws: SyncFailure.self) { try await stations[0].sync(full) }
      #expect(try stations[0].rows(of: other) == stations[1].rows(of: other))
      // Deleting makes room, with which the rest is sent.
      try DeletionRepository(database: stations[0].database).delete(.session(ids[0]))
      try await stations[0].sync(full)
      for station in stations.reversed() + stations { try await station.sync(store) }
      for station in stations {
        #expect(Set(try station.sessions.sessions().map(\.description.id)) == [ids[1], other])
      }
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testWhatIsFound_IsThereAfterARestart_UntilTheStoreIsRight(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      try stations[0].record()
      for station in stations + stations { try await station.sync(store) }
      let state = try stations[0].loaded()
      var lying = LyingStore(store)
      lying.end = 1
      try await stations[1].sync(lying)
      stations[1].restart()
      let found = try SyncStatusReport(stations[1].loaded()).findings.map(\.text)
      #expect(found.contains { $0.contains("no longer in the store") }, "\(found)")
      try await stations[1].sync(store)
      #expect(try SyncStatusReport(stations[1].loaded()).findings.isEmpty)
      // The author notices that the end of its own log is gone.
      let last = try #require(state.receiver.logs[state.id]?.last)
      let key = StoreKey(log: StoreLog(space: state.space, station: state.id, kind: .chunks), sequence: last)
      try await store.delete(key, keeping: 0)
      stations[0].restart()
      try await stations[0].sync(store)
      #expect(try !SyncStatusReport(stations[0].loaded()).findings.isEmpty)
      _ = try await stations[0].change { try await $0.repair(store) }
      stations[0].restart()
      try await stations[0].sync(store)
      #expect(try SyncStatusReport(stations[0].loaded()).findings.isEmpty)
    }
  }

  @Test func testRefusedChunk_IsTold_UntilItIsAccepted() async throws {
    let store = MemoryStore()
    // The same recording on both, with other contents.
    let station = try TestStation("bedroom")
    _ = try await station.setup.found(at: "memory", store, name: "bedroom", now: station.now)
    let id = try station.record()
    let other = try TestStation("laptop")
    var session = try station.sessions.session(matching: id).description
    session.deviceID = "laptop"
    try other.append(session, from: 0, count: 900, seed: 5, isOver: true)
    try await station.sync(store)
    try await TestSpaces.join(other, to: station, in: store)
    for station in [other, station, other, station] { try await station.sync(store) }
    for station in [other, station] {
      station.restart()
      let found = try SyncStatusReport(station.loaded()).findings
      #expect(found.contains { $0.text.contains("was refused") }, "\(found)")
      #expect(try await station.change { try await $0.acceptRestored(nil, store) } > 0)
      #expect(try SyncStatusReport(station.loaded()).findings.isEmpty)
    }
  }

  @Test func testRecordingImportedOnBothBeforeJoining_HasOnePersonAndLabel() async throws {
    let store = MemoryStore()
    let (one, other) = (try TestStation("bedroom"), try TestStation("laptop"))
    let id = try one.record(person: "anna", label: "one")
    var session = try one.sessions.session(matching: id).description
    (session.person, session.label) = ("ben", "two")
    try other.append(session, from: 0, count: 900, isOver: true)
    _ = try await one.setup.found(at: "memory", store, name: "bedroom", now: one.now)
    try await one.sync(store)
    try await TestSpaces.join(other, to: one, in: store)
    for station in [other, one, other, one] { try await station.sync(store) }
    let descriptions = try [one, other].map { try $0.sessions.session(matching: id).description }
    #expect(descriptions[0].person == descriptions[1].person && descriptions[0].label == descriptions[1].label)
    #expect(try !one.loaded().book.replaced.isEmpty)
  }

  @Test func testOnceADay_ChunksHaveFixedLengths() async throws {
    let store = MemoryStore()
    let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
    let before = Set(try await store.contents().map(\.key))
    let ids = [try stations[0].record(), try stations[0].record(seconds: 9000, after: .seconds(7200), seed: 2)]
    var rhythm = SpaceState.Rhythm()
    rhythm.padding = .fixed
    try await stations[0].sync(store, rhythm: rhythm)
    let lengths = Set(
      try await store.contents().filter { !before.contains($0.key) && $0.key.log.kind == .chunks }.map(\.bytes.count))
    // The header, and the tag of the encryption.
    #expect(lengths == [EnvelopeHeader.byteCount + 65_536 + 16])
    try await stations[1].sync(store)
    for id in ids { #expect(try stations[1].rows(of: id) == stations[0].rows(of: id)) }
  }

  @Test(arguments: StoreChoice.allCases)
  func testJunkAtTheEndOfTheOwnLog_IsReplaced_AndIsNoCopiedCard(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      for station in stations { try await station.sync(store) }
      let state = try stations[0].loaded()
      let last = try #require(state.receiver.logs[state.id]?.last)
      let key = StoreKey(log: StoreLog(space: state.space, station: state.id, kind: .chunks), sequence: last + 1)
      _ = try await store.putIfAbsent([1, 2, 3], at: key)
      let id = try stations[0].record()
      let pass = try await stations[0].sync(store, isFirst: false)
      #expect(!pass.isNewMember)
      let received = try await stations[1].sync(store)
      #expect(received.download.findings.isEmpty)
      #expect(try stations[1].rows(of: id) == stations[0].rows(of: id))
    }
  }

  @Test func testStationThatRemovesItself_IsRefused() async throws {
    let store = MemoryStore()
    let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
    let id = try stations[0].loaded().id
    await #expect(throws: (any Error).self) { try await stations[0].change { try await $0.remove(id, in: store) } }
    try await stations[0].sync(store)
    #expect(try stations[0].loaded().membership.members[id] != nil)
  }

  @Test func testStrapThatIsPairedOnASecondStation_HasTheNameAndOwnerOfTheFirst() async throws {
    let store = MemoryStore()
    let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
    func strap(_ name: String, _ person: String?) -> KnownStrap {
      KnownStrap(
        address: BluetoothAddress(value: 0xC8DE_ADBE_EF01, kind: .random), name: name, advertisedName: "HRM",
        isBonded: false, added: TestStation.start, person: person, label: nil)
    }
    let repositories = stations.map { StrapRepository(database: $0.database) }
    _ = try repositories[0].remember(strap("Belt", "anna"))
    for station in stations + stations { try await station.sync(store) }
    _ = try repositories[1].remember(strap("HRM", nil))
    for station in stations.reversed() + stations { try await station.sync(store) }
    for repository in repositories {
      #expect(try repository.straps().map(\.name) == ["Belt"] && repository.straps().map(\.person) == ["anna"])
    }
    // A name that was entered is one.
    let gym = try TestStation("gym")
    try await TestSpaces.join(gym, to: stations[0], in: store)
    try await gym.sync(store)
    _ = try StrapRepository(database: gym.database).remember(strap("Gym", nil))
    for station in [gym] + stations + [gym] + stations { try await station.sync(store) }
    #expect(try repositories[0].straps().map(\.name) == ["Gym"] && repositories[0].straps().map(\.person) == ["anna"])
  }

  @Test func testEndWhileACopyBecomesANewMember_LeavesAStationThatWorks() async throws {
    let store = MemoryStore()
    let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
    let id = try stations[0].record()
    for station in stations + stations { try await station.sync(store) }
    // The next keys are written, and the database is not changed.
    try stations[0].keyFile.writeNext(StationKeys())
    stations[0].restart()
    try await stations[0].sync(store)
    #expect(try stations[0].loaded().receiver.findings.isEmpty && stations[0].sessions.sessions().count == 1)
    #expect(try stations[1].rows(of: id) == stations[0].rows(of: id))
  }
}
