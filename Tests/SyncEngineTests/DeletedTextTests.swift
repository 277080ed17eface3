import Repository
import StressKit
import Sync
import SyncEngine
import SyncTestKit
import TachogramCore
import Testing

/// What is deleted is gone from databases and stores, also from what a station learns that joins later.
@Suite("What was deleted")
struct DeletedTextTests {
  private static func texts(_ station: TestStation) throws -> Set<String> {
    Set(try SyncRepository(database: station.database).edits().compactMap(\.value))
  }

  @Test(arguments: StoreChoice.allCases)
  func testTextsOfADeletedSession_AreNowhere(choice: StoreChoice) async throws {
    try await choice.run { store in
      var stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let ids = [try stations[0].record(), try stations[0].record(after: .seconds(7200), seed: 2)]
      for station in stations { try await station.sync(store) }
      for (place, word) in ["gone", "kept"].enumerated() {
        let id = ids[place]
        try stations[0].annotations.change(
          id, SessionEdit(person: "\(word) person", label: "label \(word)", note: "note \(word)"))
        _ = try stations[1].annotations.mark(
          id, at: TestStation.start.advanced(by: .seconds(100 + place * 7200)), "marker \(word)")
      }
      for station in stations + stations { try await station.sync(store) }
      for station in stations { #expect(try Self.texts(station).contains { $0.contains("gone") }) }
      try DeletionRepository(database: stations[1].database).delete(.session(ids[0]))
      for station in stations + stations + stations { try await station.sync(store) }
      stations.append(try TestStation("phone"))
      try await TestSpaces.join(stations[2], to: stations[0], in: store)
      for station in stations + stations { try await station.sync(store) }
      for station in stations {
        let texts = try Self.texts(station)
        #expect(!texts.contains { $0.contains("gone") }, "\(station.name): \(texts)")
        #expect(texts.isSuperset(of: ["note kept", "kept person", "label kept"]), "\(station.name): \(texts)")
        #expect(try station.rows(of: ids[1]) == stations[0].rows(of: ids[1]))
        #expect(try station.rows(of: ids[1]).markers.map(\.text) == ["marker kept"])
        #expect(try SyncStatusReport(station.loaded()).findings.isEmpty)
        // The state that is loaded again is the same.
        station.restart()
        #expect(try await station.sync(store).uploaded.count == 0)
      }
    }
  }

  /// What is stored after a range was deleted was not meant, although the deletion is sealed again later.
  @Test(arguments: StoreChoice.allCases, [true, false])
  func testRangeThatWasDeleted_IsFreeForLaterSessions(choice: StoreChoice, isPerson: Bool) async throws {
    try await choice.run { store in
      var stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let kept = try stations[0].record(person: "ben", after: .seconds(100_000), seed: 3)
      let deleted = try stations[1].record()
      for station in stations + stations { try await station.sync(store) }
      var selection = SessionSelection()
      if isPerson {
        selection.person = "anna"
      } else {
        selection.range = TestStation.start...TestStation.start.advanced(by: .seconds(3_600))
      }
      // Sealed in one chunk with a note that is deleted later.
      try stations[0].annotations.change(kept, SessionEdit(note: "a note"))
      try DeletionRepository(database: stations[0].database).delete(selection)
      for station in stations + stations { try await station.sync(store) }
      for station in stations { #expect(try station.sessions.sessions().map(\.description.id) == [kept]) }
      let later = [try stations[0].record(after: .seconds(60), seed: 4), try stations[1].record(seed: 5)]
      for station in stations + stations { try await station.sync(store) }
      try DeletionRepository(database: stations[0].database).delete(.session(kept))
      for station in stations + stations { try await station.sync(store) }
      stations.append(try TestStation("phone"))
      try await TestSpaces.join(stations[2], to: stations[0], in: store)
      for station in stations + stations + stations { try await station.sync(store) }
      for station in stations {
        #expect(Set(try station.sessions.sessions().map(\.description.id)) == Set(later), "\(station.name)")
        for id in later {
          #expect(try station.rows(of: id) == stations[0].rows(of: id))
          #expect(try !station.sessions.stress(of: id).isEmpty)
        }
        #expect(try station.sessions.sessions().allSatisfy { $0.description.id != deleted })
      }
      for station in stations { #expect(try await station.sync(store).uploaded.count == 0) }
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testStoreFromBeforeADeletion_IsRepaired_AndTheSessionStaysDeleted(choice: StoreChoice) async throws {
    try await choice.run { store in
      var stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let ids = [try stations[0].record(), try stations[0].record(after: .seconds(7200), seed: 2)]
      for station in stations + stations { try await station.sync(store) }
      let before = try await store.contents()
      try DeletionRepository(database: stations[0].database).delete(.session(ids[0]))
      try stations[0].annotations.change(ids[1], SessionEdit(label: "after", note: .some("lost?")))
      for station in stations + stations { try await station.sync(store) }
      // All have acknowledged, so that the author does not keep the chunks.
      for station in stations { station.clockOffset = .seconds(3_700) }
      for station in stations + stations { try await station.sync(store) }
      // The store is put back.
      for object in try await store.contents() { try await store.delete(object.key, keeping: 0) }
      for object in before { _ = try await store.putIfAbsent(object.bytes, at: object.key) }
      for station in stations { _ = try await station.change { try await $0.repair(store) } }
      for station in stations + stations { try await station.sync(store) }
      stations.append(try TestStation("phone"))
      try await TestSpaces.join(stations[2], to: stations[0], in: store)
      for station in stations + stations { try await station.sync(store) }
      for station in stations {
        #expect(try station.sessions.sessions().map(\.description.id) == [ids[1]], "\(station.name)")
        let record = try station.sessions.session(matching: ids[1])
        #expect(record.description.label == "after" && record.note == "lost?", "\(station.name)")
      }
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testReset_WithUploading_HasEverythingThatWasEntered_AndWhatWasDeletedStaysSo(choice: StoreChoice) async throws {
    try await choice.run { store in
      var stations = try await TestSpaces.make(["bedroom", "laptop", "gym"], in: store)
      let ids = [
        try stations[0].record(), try stations[0].record(after: .seconds(7200), seed: 2),
        try stations[2].record(after: .seconds(14_400), seed: 3),
      ]
      try stations[0].annotations.change(ids[0], SessionEdit(note: "a note"))
      for station in stations + stations { try await station.sync(store) }
      _ = try stations[1].annotations.mark(ids[2], at: TestStation.start.advanced(by: .seconds(14_500)), "a marker")
      try DeletionRepository(database: stations[0].database).delete(.session(ids[1]))
      for station in stations + stations { try await station.sync(store) }
      let gym = try stations[2].loaded().id
      try await stations[0].change { try await $0.remove(gym, in: store) }
      stations.removeLast()
      for station in stations + stations { try await station.sync(store) }
      try await stations[0].change { try await $0.reset(in: store) }
      // What the gym recorded is with the others only.
      try await stations[1].change { try await $0.acceptReset(uploading: true, in: store) }
      // The bedroom had it all the time, but is asked to send nothing: what the laptop has is enough for its own part.
      for station in stations + stations { try await station.sync(store) }
      let phone = try TestStation("phone")
      try await TestSpaces.join(phone, to: stations[1], in: store)
      for station in stations + [phone] + stations + [phone] { try await station.sync(store) }
      #expect(try phone.sessions.sessions().map(\.description.id) == [ids[2]])
      #expect(try phone.rows(of: ids[2]) == stations[1].rows(of: ids[2]))
      #expect(try phone.rows(of: ids[2]).markers.map(\.text) == ["a marker"])
      #expect(try phone.loaded().book.deleted[EditTarget(kind: .session, id: ids[1])] != nil)
      let report = try SyncStatusReport(phone.loaded())
      #expect(report.findings.isEmpty, "\(report.findings)")
      #expect(Set(report.members.compactMap(\.name)).isSuperset(of: ["laptop", "phone"]))
      phone.restart()
      #expect(try SyncStatusReport(phone.loaded()).findings.isEmpty)
    }
  }
}
