import FoundationEssentials
import Repository
import StressKit
import Sync
import SyncEngine
import SyncTestKit
import TachogramCore
import Testing

@Suite("Stations of one space")
struct ConvergenceTests {
  @Test(arguments: StoreChoice.allCases)
  func testRecordedSession_IsTheSameOnTheOtherStation(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let id = try stations[0].record(label: "night")
      try stations[0].annotations.change(id, SessionEdit(note: "slept well"))
      _ = try stations[0].annotations.mark(id, at: TestStation.start.advanced(by: .seconds(60)), "coffee")
      try await stations[0].sync(store)
      try await stations[1].sync(store)
      let (one, other) = (try stations[0].rows(of: id), try stations[1].rows(of: id))
      #expect(
        !one.rows.beats.isEmpty && !one.rows.windows.isEmpty && !one.rows.stress.isEmpty && one.markers.count == 1)
      #expect(one == other)
      #expect(try stations[0].sessions.stress(of: id).allSatisfy(\.isSynced))
    }
  }

  /// An imported night has no entries. Its note may have been entered before it was sent, and before the space was made.
  @Test(arguments: StoreChoice.allCases)
  func testNightWithoutBeats_HasItsNoteAndMarkersEverywhere(choice: StoreChoice) async throws {
    try await choice.run { store in
      var stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let ids = try (1...2).map { try stations[0].record(seconds: 0, after: .seconds($0 * 86_400)) }
      try stations[0].annotations.change(ids[0], SessionEdit(note: "asleep 390.0 min"))
      let begin = try stations[0].sessions.session(matching: ids[0]).description.start
      _ = try stations[0].annotations.mark(ids[0], at: begin, "lights off")
      try await stations[0].sync(store)
      try await stations[1].sync(store)
      // Another station adds a note, and a third one joins.
      try stations[1].annotations.change(ids[1], SessionEdit(note: "dreamed"))
      try await stations[1].sync(store)
      try await stations[0].sync(store)
      stations.append(try TestStation("attic"))
      try await TestSpaces.join(stations[2], to: stations[0], in: store)
      try await stations[2].sync(store)
      for station in stations {
        let notes = try ids.map { try station.sessions.session(matching: $0).note }
        #expect(notes == ["asleep 390.0 min", "dreamed"], "\(station.name)")
        #expect(try station.sessions.markers(of: ids[0]).map(\.text) == ["lights off"], "\(station.name)")
      }
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testSessionThatLasts_GrowsOnTheOtherStation(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let id = try stations[0].record(seconds: 400, isOver: false)
      try await stations[0].sync(store)
      try await stations[1].sync(store)
      #expect(try stations[1].rows(of: id).rows.entries.count == 400)
      #expect(try !stations[1].sessions.session(matching: id).isComplete)
      let session = try stations[0].sessions.session(matching: id).description
      try stations[0].append(session, from: 400, count: 500, isOver: true)
      try await stations[0].sync(store)
      try await stations[1].sync(store)
      #expect(try stations[0].rows(of: id) == stations[1].rows(of: id))
      #expect(try stations[1].sessions.session(matching: id).isComplete)
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testNewStation_ReceivesEverything_AndSynchronisingAgainChangesNothing(choice: StoreChoice) async throws {
    try await choice.run { store in
      var stations = try await TestSpaces.make(["bedroom"], in: store)
      var ids: [String] = []
      for day in 0..<5 {
        ids.append(try stations[0].record(seconds: 5000, after: .seconds(day * 7200), seed: UInt64(day + 1)))
      }
      try await stations[0].sync(store)
      stations.append(try TestStation("laptop"))
      try await TestSpaces.join(stations[1], to: stations[0], in: store)
      let pass = try await stations[1].sync(store)
      #expect(pass.download.sessions == Set(ids) && pass.download.refused.isEmpty && pass.download.findings.isEmpty)
      for id in ids { #expect(try stations[0].rows(of: id) == stations[1].rows(of: id)) }
      for station in stations { try await station.sync(store) }
      for station in stations + stations {
        station.restart()
        let again = try await station.sync(store)
        #expect(again.uploaded.count == 0 && again.download.count == 0 && again.download.findings.isEmpty)
      }
    }
  }

  /// A station that joins shows the last sessions before it has read all, whether they were sealed one by one or all at once.
  @Test(arguments: [StoreChoice.memory, .sqliteServer], [true, false])
  func testLongLog_IsReadFromItsEndsFirst(choice: StoreChoice, isOneByOne: Bool) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom"], in: store)
      var rhythm = SpaceState.Rhythm()
      (rhythm.entries, rhythm.batch) = (2, 64 << 10)
      var ids: [String] = []
      for day in 0..<12 {
        ids.append(try stations[0].record(seconds: 200, after: .seconds(day * 7200), seed: UInt64(day + 1)))
        if isOneByOne { try await stations[0].sync(store, rhythm: rhythm) }
      }
      try await stations[0].sync(store, rhythm: rhythm)
      let phone = try TestStation("phone")
      try await TestSpaces.join(phone, to: stations[0], in: store)
      // The store fails before all is read, one object in each call.
      rhythm.readBatch = 100 << 10
      let state = try stations[0].loaded()
      let count = Int(try #require(state.receiver.logs[state.id]?.last))
      #expect(count > 1_200)
      let failing = FailingStore(store, after: 500, isStored: false)
      await #expect(throws: SyncFailure.self) { try await phone.sync(failing, rhythm: rhythm) }
      let stored = try phone.sessions.sessions().map(\.description.id)
      let last = try #require(ids.last)
      #expect(stored.contains(last) && stored.count < ids.count, "\(stored.count)")
      #expect(try phone.rows(of: last).rows.windows == stations[0].rows(of: last).rows.windows)
      phone.restart()
      let pass = try await phone.sync(store)
      #expect(pass.download.findings.isEmpty && pass.download.refused.isEmpty)
      for id in ids { #expect(try phone.rows(of: id) == stations[0].rows(of: id)) }
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testStationsRenameAtTheSameTime_LaterOneWins_OnBoth(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let id = try stations[0].record(label: "one")
      for station in stations { try await station.sync(store) }
      try stations[0].annotations.change(id, SessionEdit(label: "two"))
      // The times of changes have a resolution of a millisecond.
      try await Self.waitForClock()
      try stations[1].annotations.change(id, SessionEdit(person: "ben", label: "three"))
      for station in stations + stations { try await station.sync(store) }
      for station in stations {
        let session = try station.sessions.session(matching: id).description
        #expect(session.label == "three" && session.person == "ben")
      }
      #expect(try stations[0].rows(of: id) == stations[1].rows(of: id))
      // The value that lost is kept.
      let book = try stations[0].loaded().book
      #expect(book.history(.name, of: EditTarget(kind: .session, id: id))?.losing.first?.change == .set(.name, "two"))
    }
  }

  /// A change of one field says nothing of the others.
  @Test(arguments: StoreChoice.allCases)
  func testStationsChangeTwoFieldsAtTheSameTime_BothHold(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let id = try stations[0].record(label: "one")
      for station in stations { try await station.sync(store) }
      try stations[1].annotations.change(id, SessionEdit(person: "ben"))
      try await Self.waitForClock()
      try stations[0].annotations.change(id, SessionEdit(label: "two"))
      for station in stations + stations { try await station.sync(store) }
      for station in stations {
        let session = try station.sessions.session(matching: id).description
        #expect(session.label == "two" && session.person == "ben")
      }
      // The first values were replaced.
      let book = try stations[1].loaded().book
      let replaced = book.replaced.flatMap(\.history.losing).map(\.change)
      #expect(replaced.contains(.set(.name, "one")) && replaced.contains(.set(.person, "anna")))
    }
  }

  private static func waitForClock() async throws {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .milliseconds(3))
    while clock.now < end { await Task.yield() }
  }

  @Test(arguments: StoreChoice.allCases)
  func testDeletedSession_IsDeletedEverywhere_AlsoInTheStore(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop", "gym"], in: store)
      let (kept, deleted) = (try stations[0].record(), try stations[0].record(after: .seconds(7200), seed: 2))
      for station in stations { try await station.sync(store) }
      let before = try await store.contentLength()
      try DeletionRepository(database: stations[1].database).delete(.session(deleted))
      // The gym is offline meanwhile, and renames the session.
      try stations[2].annotations.change(deleted, SessionEdit(label: "mine"))
      for station in [stations[1], stations[0], stations[2]] + stations { try await station.sync(store) }
      for station in stations {
        #expect(try station.sessions.sessions().map(\.description.id) == [kept])
        #expect(try await station.sync(store).download.findings.isEmpty)
      }
      #expect(try await store.contentLength() < before)
      // A new station does not see it either.
      let phone = try TestStation("phone")
      try await TestSpaces.join(phone, to: stations[0], in: store)
      let pass = try await phone.sync(store)
      #expect(try phone.sessions.sessions().map(\.description.id) == [kept] && pass.download.findings.isEmpty)
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testExpiredSession_IsKeptByOthers_AndDoesNotComeBack(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let id = try stations[0].record()
      for station in stations { try await station.sync(store) }
      for station in stations[..<1] {
        let count = try DeletionRepository(database: station.database).expire(before: station.now, except: [])
        #expect(count == 1)
      }
      for station in stations + stations { try await station.sync(store) }
      #expect(try stations[0].sessions.sessions().isEmpty)
      #expect(try stations[1].sessions.sessions().map(\.description.id) == [id])
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testDeletedLevelAndMarker_AreDeletedEverywhere(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let id = try stations[0].record()
      let marker = try stations[0].annotations.mark(id, at: TestStation.start.advanced(by: .seconds(60)), "coffee")
      for station in stations { try await station.sync(store) }
      let levels = try stations[1].sessions.stress(of: id)
      let level = try #require(levels.first)
      try await StressRepository(database: stations[1].database, person: "anna", kind: .sdnn) { Date() }.delete(level)
      try stations[1].annotations.unmark(id, marker.id)
      for station in stations.reversed() { try await station.sync(store) }
      for station in stations {
        #expect(try station.sessions.stress(of: id).count == levels.count - 1)
        #expect(try station.sessions.markers(of: id).isEmpty)
      }
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testSensor_AddsAndCannotRead_ButHearsOfDeletions(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "gym"], in: store, sensors: ["gym"])
      let (mine, theirs) = (try stations[0].record(), try stations[1].record(after: .seconds(7200), seed: 2))
      for station in stations + stations { try await station.sync(store) }
      #expect(Set(try stations[0].sessions.sessions().map(\.description.id)) == [mine, theirs])
      #expect(try stations[1].sessions.sessions().map(\.description.id) == [theirs])
      try DeletionRepository(database: stations[0].database).delete(.session(theirs))
      for station in stations + stations { try await station.sync(store) }
      for station in stations { #expect(try !station.sessions.sessions().contains { $0.description.id == theirs }) }
      #expect(try await stations[0].sync(store).download.findings.isEmpty)
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testPersonDeleted_IsDeletedEverywhere_WithSessionsThatTheOtherHadNotSeen(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let kept = try stations[0].record(person: "ben")
      try stations[0].record(after: .seconds(7200), seed: 2)
      for station in stations + stations { try await station.sync(store) }
      // The laptop is offline and records; then everything of the person is deleted on the other station.
      try stations[1].record(after: .seconds(14_400), seed: 3)
      var anna = SessionSelection()
      anna.person = "anna"
      try DeletionRepository(database: stations[0].database).delete(anna)
      for station in [stations[1], stations[0], stations[1], stations[0]] { try await station.sync(store) }
      for station in stations {
        #expect(try station.sessions.sessions().map(\.description.id) == [kept])
        #expect(try HistoryRepository(database: station.database).persons() == ["ben"])
        #expect(try station.loaded().receiver.findings.isEmpty)
      }
      // What is recorded later is new.
      let later = try stations[1].record(after: .seconds(300_000_000), seed: 4)
      for station in stations.reversed() + stations { try await station.sync(store) }
      for station in stations { #expect(try station.sessions.sessions().contains { $0.description.id == later }) }
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testStressDeletedInARange_StaysDeleted_AlsoForNewStations(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let (first, second) = (try stations[0].record(), try stations[0].record(after: .seconds(7200), seed: 2))
      for station in stations + stations { try await station.sync(store) }
      var early = SessionSelection()
      early.range = TestStation.start...TestStation.start.advanced(by: .seconds(3600))
      try DeletionRepository(database: stations[1].database).delete(early, .stress)
      for station in stations.reversed() + stations { try await station.sync(store) }
      let phone = try TestStation("phone")
      try await TestSpaces.join(phone, to: stations[0], in: store)
      try await phone.sync(store)
      for station in stations + [phone] {
        #expect(try station.sessions.stress(of: first).isEmpty)
        #expect(try !station.sessions.stress(of: second).isEmpty)
      }
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testSessionDeletedElsewhereWhileItIsRecorded_IsDeletedAtItsEnd(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let now = stations[0].now.duration(since: TestStation.start)
      let id = try stations[0].record(seconds: 400, after: now - .seconds(400), isOver: false)
      for station in stations { try await station.sync(store) }
      try DeletionRepository(database: stations[1].database).delete(.session(id))
      for station in stations.reversed() { try await station.sync(store) }
      let session = try stations[0].sessions.session(matching: id).description
      try stations[0].append(session, from: 400, count: 5, isOver: true)
      for station in stations + stations { try await station.sync(store) }
      for station in stations { #expect(try station.sessions.sessions().isEmpty) }
    }
  }

  @Test func testScopes_TextIsReadBack() {
    var selection = SessionSelection()
    let time = WallTime(microseconds: 5)
    for change: (inout SessionSelection) -> Void in [
      { _ in }, { $0.person = "Zoé = \"x\"" }, { $0.session = "s" },
      { $0.strap = BluetoothAddress(value: 0xC8DE_ADBE_EF01, kind: .public) },
      { $0.range = WallTime(microseconds: -3)...WallTime(microseconds: .max) },
    ] {
      change(&selection)
      let scope = SyncScope(selection, .stress, at: time)
      #expect(SyncScope(text: scope.text) == scope)
    }
    for text in [
      "", "category=stress", "category=all\ntime=5", "time=5\ncategory=stress\nmore=1",
      "category=stress\ntime=5\ntime=6",
    ] {
      #expect(SyncScope(text: text) == nil)
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testSessionSealedInManyPartsWhileItLasted_IsRepackedAtItsEnd(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let id = try stations[0].record(seconds: 300, isOver: false)
      let session = try stations[0].sessions.session(matching: id).description
      for part in 1...11 {
        try await stations[0].sync(store)
        try stations[0].append(session, from: part * 300, count: 300, isOver: part == 11)
      }
      try await stations[1].sync(store)
      let before = try await store.contentLength()
      for station in stations + stations { try await station.sync(store) }
      #expect(try await store.contentLength() < before)
      let phone = try TestStation("phone")
      try await TestSpaces.join(phone, to: stations[0], in: store)
      let pass = try await phone.sync(store)
      #expect(pass.download.findings.isEmpty && pass.download.refused.isEmpty)
      for station in [stations[1], phone] { #expect(try station.rows(of: id) == stations[0].rows(of: id)) }
      // The author misses nothing in the store.
      let repair = try await stations[0].change { try await $0.repair(store) }
      #expect(repair.sentCount == 0 && repair.lostCount == 0)
    }
  }
}
