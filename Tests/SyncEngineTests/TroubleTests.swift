import FoundationEssentials
import Repository
import StressKit
import Sync
import SyncEngine
import SyncTestKit
import TachogramCore
import TachogramTestKit
import Testing

@Suite("Trouble with stations and stores")
struct TroubleTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func identifiers(_ station: TestStation) throws -> Set<String> {
    Set(try station.sessions.sessions().map(\.description.id))
  }

  /// Copies a database and the keys of a station, as a backup or a copied card does.
  private func copy(_ station: TestStation, as name: String) throws -> TestStation {
    let path = folder.path("\(UUID().uuidString).sqlite")
    _ = try station.database.snapshot(to: path)
    let copy = try TestStation(name, database: TachogramDatabase.open(path: path))
    let keys = try #require(try station.keyFile.read())
    try copy.keyFile.write(keys)
    return copy
  }

  @Test(arguments: StoreChoice.allCases)
  func testRestoredBackup_OwnSessionsComeBack_NothingIsDoubled(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let first = try stations[0].record()
      for station in stations { try await station.sync(store) }
      let restored = try copy(stations[0], as: "bedroom")
      let second = try stations[0].record(after: .seconds(7200), seed: 2)
      for station in stations { try await station.sync(store) }
      let pass = try await restored.sync(store)
      #expect(pass.adopted.count > 0 && !pass.isNewMember && pass.download.refused.isEmpty)
      #expect(try identifiers(restored) == [first, second])
      #expect(try restored.rows(of: second) == stations[1].rows(of: second))
      // It goes on with its log.
      let third = try restored.record(after: .seconds(14_400), seed: 3)
      try await restored.sync(store, isFirst: false)
      let received = try await stations[1].sync(store)
      #expect(received.download.findings.isEmpty && received.download.refused.isEmpty)
      #expect(try identifiers(stations[1]) == [first, second, third])
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testCopiedCard_BecomesANewMember_NothingIsLost(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let first = try stations[0].record()
      for station in stations { try await station.sync(store) }
      let copied = try copy(stations[0], as: "copy")
      try await copied.sync(store)
      // Both record and go on.
      let second = try stations[0].record(after: .seconds(7200), seed: 2)
      let third = try copied.record(after: .seconds(14_400), seed: 3)
      try await stations[0].sync(store, isFirst: false)
      let pass = try await copied.sync(store, isFirst: false)
      #expect(pass.isNewMember)
      for station in stations + [copied] + stations { try await station.sync(store, isFirst: false) }
      for station in stations + [copied] {
        #expect(try identifiers(station) == [first, second, third])
        #expect(try station.loaded().receiver.findings.isEmpty)
      }
      #expect(try stations[0].loaded().membership.members.count == 4)
      #expect(try copied.rows(of: third) == stations[1].rows(of: third))
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testRemovedStation_StopsAndIsNamed_OthersGoOn(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop", "gym"], in: store)
      let id = try stations[2].record()
      for station in stations + stations { try await station.sync(store) }
      let gym = try stations[2].loaded().id
      try await stations[0].change { try await $0.remove(gym, in: store) }
      let later = try stations[2].record(after: .seconds(7200), seed: 2)
      await #expect(throws: SyncFailure.self) { try await stations[2].sync(store) }
      let third = try stations[0].record(after: .seconds(14_400), seed: 3)
      for station in stations[..<2] + stations[..<2] { try await station.sync(store) }
      for station in stations[..<2] {
        #expect(try identifiers(station) == [id, third])
        #expect(try station.loaded().membership.currentEpoch.epoch == 2)
      }
      #expect(try identifiers(stations[2]) == [id, later])
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testReset_OthersStopAndAsk_ThenGoOnWithOrWithoutTheirData(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop", "gym"], in: store)
      for (number, station) in stations.enumerated() {
        try station.record(after: .seconds(number * 7200), seed: UInt64(number + 1))
      }
      for station in stations + stations { try await station.sync(store) }
      try await stations[0].change { try await $0.reset(in: store) }
      let pass = try await stations[0].sync(store)
      #expect(pass.uploaded.bytes < 2000)
      let before = try await store.contentLength()
      for station in stations[1...] {
        let error = await #expect(throws: SyncFailure.self) { try await station.sync(store) }
        #expect(error?.description.contains("all data of the space was deleted") == true)
      }
      #expect(try await store.contentLength() == before)
      try await stations[1].change { try await $0.acceptReset(uploading: false, in: store) }
      try await stations[2].change { try await $0.acceptReset(uploading: true, in: store) }
      for station in stations + stations { try await station.sync(store) }
      let phone = try TestStation("phone")
      try await TestSpaces.join(phone, to: stations[0], in: store)
      try await phone.sync(store)
      #expect(try identifiers(phone).count == 1)
      #expect(try identifiers(stations[0]).count == 3)
      for station in stations + [phone] { #expect(try station.loaded().receiver.findings.isEmpty) }
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testStoreThatLostChunks_IsRepairedByTheAuthor(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let id = try stations[0].record(seconds: 9000)
      try await stations[0].sync(store)
      let state = try stations[0].loaded()
      let log = StoreLog(space: state.space, station: state.id, kind: .chunks)
      for sequence in [2, 3] as [UInt64] { try await store.delete(StoreKey(log: log, sequence: sequence), keeping: 0) }
      let pass = try await stations[1].sync(store)
      #expect(pass.download.findings.map(\.kind).contains(.missing))
      let repair = try await stations[0].change { try await $0.repair(store) }
      #expect(repair.sentCount == 2 && repair.lostCount == 0)
      #expect(try await stations[1].sync(store).download.findings.isEmpty)
      #expect(try stations[0].rows(of: id) == stations[1].rows(of: id))
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testLostChunksThatAllHad_AreSealedAgainForNewStations(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let id = try stations[0].record(seconds: 9000)
      for station in stations { try await station.sync(store) }
      // The laptop says what it has seen.
      try stations[1].record(after: .seconds(14_400), seed: 2)
      for station in stations.reversed() + stations { try await station.sync(store) }
      let state = try stations[0].loaded()
      let log = StoreLog(space: state.space, station: state.id, kind: .chunks)
      try await store.delete(StoreKey(log: log, sequence: 3), keeping: 0)
      let repair = try await stations[0].change { try await $0.repair(store) }
      #expect(repair.lostCount == 1)
      try await stations[0].sync(store)
      let phone = try TestStation("phone")
      try await TestSpaces.join(phone, to: stations[0], in: store)
      try await phone.sync(store)
      _ = try await phone.change { try await $0.acceptRestored(nil, store) }
      let pass = try await phone.sync(store)
      #expect(pass.download.findings.isEmpty && pass.download.refused.isEmpty)
      #expect(try stations[0].rows(of: id) == phone.rows(of: id))
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testStoreThatFails_NothingIsLostOrDoubled(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      var ids: Set<String> = []
      var random = SplitMix64(seed: 5)
      for round in 0..<12 {
        ids.insert(try stations[round % 2].record(seconds: 700, after: .seconds(round * 1800), seed: UInt64(round + 1)))
        let failing = FailingStore(store, after: Int(random.next() % 12), isStored: random.next() % 2 == 0)
        for station in stations {
          _ = try? await station.sync(failing)
          // Half of the failures end the process.
          if random.next() % 2 == 0 { station.restart() }
        }
      }
      for station in stations + stations { try await station.sync(store) }
      for station in stations {
        #expect(try identifiers(station) == ids)
        #expect(try station.loaded().receiver.findings.isEmpty)
      }
      for id in ids { #expect(try stations[0].rows(of: id) == stations[1].rows(of: id)) }
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testRecoveryWords_BringEverythingBack(choice: StoreChoice) async throws {
    try await choice.run { store in
      let station = try TestStation("bedroom")
      let recovery = try await station.setup.found(at: "memory", store, name: "bedroom", now: station.now)
      let id = try station.record(label: "night")
      try await station.sync(store)
      let space = try station.loaded().space
      let new = try TestStation("new")
      let words = try RecoveryWords.key(RecoveryWords.words(recovery).joined(separator: " "))
      _ = try await new.setup.recover(words, space: space, at: "memory", store, name: "new", now: new.now)
      try await new.sync(store)
      #expect(try new.rows(of: id) == station.rows(of: id))
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testOtherKeys_AreRefusedBeforeAnythingIsUploaded(choice: StoreChoice) async throws {
    try await choice.run { store in
      let station = try TestStation("bedroom")
      _ = try await station.setup.found(at: "memory", store, name: "bedroom", now: station.now)
      try station.keyFile.write(StationKeys())
      let before = try await store.contentLength()
      await #expect(throws: SyncFailure.self) { try await station.sync(store) }
      #expect(try await store.contentLength() == before)
    }
  }
}
