import Repository
import Sync
import SyncEngine
import SyncTestKit
import TachogramCore
import Testing

/// Stations with wrong clocks, stations that come back after a long time, and members that were removed meanwhile.
@Suite("Time and members")
struct MonthOfflineTests {
  private static let year: Duration = .seconds(365 * 86_400)

  @Test(arguments: StoreChoice.allCases, [true, false])
  func testStationAt1970_ReceivesAndIsReceived(choice: StoreChoice, isReader: Bool) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let (bedroom, laptop) = (stations[0], stations[1])
      // A Raspberry Pi before it has the time from the network.
      bedroom.clockOffset = WallTime(microseconds: 0).duration(since: bedroom.now)
      bedroom.isClockSynchronised = false
      bedroom.restart()
      let ids = [try bedroom.record(), try laptop.record(after: .seconds(7200), seed: 2)]
      try laptop.annotations.change(ids[1], SessionEdit(label: "desk"))
      try bedroom.annotations.change(ids[0], SessionEdit(label: "bed"))
      for station in stations + stations { try await station.sync(store) }
      for station in stations {
        for id in ids { #expect(try station.rows(of: id) == bedroom.rows(of: id)) }
        #expect(try station.sessions.session(matching: ids[1]).description.label == "desk")
        #expect(try station.sessions.session(matching: ids[0]).description.label == "bed")
        #expect(try station.loaded().book.quarantined.isEmpty && station.loaded().receiver.findings.isEmpty)
      }
      // It has the time, and goes on; also if it is restarted.
      bedroom.clockOffset = .zero
      bedroom.isClockSynchronised = true
      if isReader { bedroom.restart() }
      try bedroom.annotations.change(ids[1], SessionEdit(label: "both"))
      for station in stations + stations { try await station.sync(store) }
      #expect(try laptop.sessions.session(matching: ids[1]).description.label == "both")
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testStationTenYearsAhead_IsReported_AndSaysItAgainWithTheRightTime(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let (bedroom, laptop) = (stations[0], stations[1])
      let id = try laptop.record()
      for station in stations + stations { try await station.sync(store) }
      bedroom.clockOffset = Self.year * 10
      bedroom.isClockSynchronised = false
      // The triggers of the database have the clock of the system.
      try await bedroom.change { state in
        state.clock = HybridClock(station: state.id, after: bedroom.now)
      }
      try bedroom.annotations.change(id, SessionEdit(label: "from the future"))
      let recorded = try bedroom.record(after: .seconds(7200), seed: 2)
      for station in stations { try await station.sync(store) }
      // Everything else arrives.
      #expect(try laptop.rows(of: recorded).rows == bedroom.rows(of: recorded).rows)
      #expect(try laptop.loaded().book.quarantined.count == 1)
      #expect(try laptop.sessions.session(matching: id).description.label == nil)
      laptop.restart()
      #expect(try laptop.loaded().book.quarantined.count == 1)
      // The clock is set; the value holds everywhere, until somebody enters another one.
      bedroom.clockOffset = .zero
      bedroom.isClockSynchronised = true
      bedroom.restart()
      for station in stations + stations { try await station.sync(store) }
      for station in stations {
        #expect(try station.sessions.session(matching: id).description.label == "from the future")
        #expect(try station.loaded().book.quarantined.isEmpty)
      }
      try laptop.annotations.change(id, SessionEdit(label: "now"))
      for station in stations.reversed() + stations {
        try await station.sync(store)
        station.restart()
      }
      for station in stations {
        #expect(try station.sessions.session(matching: id).description.label == "now")
        #expect(try station.loaded().book.quarantined.isEmpty)
      }
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testEpochThatBeganWhileOneWasOffline_IsReadAfterAMonth(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop", "gym"], in: store)
      let (bedroom, laptop, gym) = (stations[0], stations[1], stations[2])
      for station in stations + stations { try await station.sync(store) }
      // What the laptop seals before it is offline has the first epoch.
      let offline = try laptop.record(seed: 1)
      _ = try? await laptop.sync(FailingStore(store, after: 4, isStored: false))
      try await bedroom.change { try await $0.remove(try gym.loaded().id, in: store) }
      let id = try bedroom.record(after: .seconds(7200), seed: 2)
      try await bedroom.sync(store)
      #expect(try bedroom.loaded().membership.currentEpoch.epoch == 2)
      bedroom.clockOffset = .seconds(30 * 86_400)
      laptop.clockOffset = .seconds(30 * 86_400)
      laptop.restart()
      for station in [laptop, bedroom, laptop, bedroom] {
        let pass = try await station.sync(store)
        #expect(pass.download.findings.isEmpty && pass.download.refused.isEmpty, "\(station.name): \(pass.download)")
      }
      for station in [bedroom, laptop] {
        #expect(try station.rows(of: id) == bedroom.rows(of: id))
        #expect(try station.rows(of: offline) == laptop.rows(of: offline))
        #expect(try station.loaded().membership.currentEpoch.epoch == 2)
      }
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testRemovedStationThatGoesOnWriting_IsNamed_AndNotRead(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "gym"], in: store)
      for station in stations + stations { try await station.sync(store) }
      let state = try stations[1].loaded()
      try await stations[0].change { try await $0.remove(state.id, in: store) }
      // A program that does not stop.
      var writer = LogWriter(space: state.space, head: state.receiver.logs[state.id]?.head)
      let edit = Edit(
        target: EditTarget(kind: .selection, id: SyncScope(SessionSelection(), .sessions, at: stations[1].now).text),
        change: .delete, time: HybridTime(wall: stations[1].now, counter: 0, station: state.id))
      let chunk = Chunk(
        kind: .edit, sealed: stations[1].now, payload: try EditChunkCodec.encode(EditChunk(edits: [edit])))
      let envelope = try writer.append(chunk, to: state.membership.currentEpoch, by: state.keys)
      let key = StoreKey(
        log: StoreLog(space: state.space, station: state.id, kind: .chunks), sequence: envelope.header.sequence)
      _ = try await store.putIfAbsent(envelope.bytes, at: key)
      let id = try stations[0].record()
      let pass = try await stations[0].sync(store)
      #expect(pass.download.findings.map(\.kind) == [.removedStation])
      #expect(try stations[0].sessions.sessions().map(\.description.id) == [id])
      #expect(try await stations[0].change { try await $0.acceptRestored(nil, store) } == 0)
      stations[0].restart()
      #expect(try await stations[0].sync(store).download.findings.isEmpty)
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testFullStore_LosesNothing_AndGoesOnWithRoom(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      for station in stations { try await station.sync(store) }
      let full = LimitedStore(store, room: 500)
      var ids: [String] = []
      for part in 0..<4 {
        ids.append(try stations[0].record(after: .seconds(part * 7200), seed: UInt64(part + 1)))
        let error = await #expect(throws: SyncFailure.self) { try await stations[0].sync(full) }
        #expect(error?.description.contains("full") == true)
        stations[0].restart()
      }
      await full.addRoom(1 << 20)
      for station in stations + stations { try await station.sync(full) }
      for id in ids { #expect(try stations[1].rows(of: id) == stations[0].rows(of: id)) }
    }
  }
}
