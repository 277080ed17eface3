import Repository
import Sync
import SyncEngine
import SyncTestKit
import TachogramCore
import Testing

@Suite("What a store learns")
struct PrivacyTests {
  /// No run of 8 bytes of names, labels, notes, markers, addresses, identifiers and the ledger is in a store.
  @Test(arguments: StoreChoice.allCases)
  func testPlantedValues_AreNotInTheStore(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["planted-bedroom", "planted-laptop"], in: store)
      let id = try stations[0].record(person: "Wilhelmina Zebra", label: "planted-label-7781")
      try stations[0].annotations.change(id, SessionEdit(note: "planted note of the trial"))
      _ = try stations[0].annotations.mark(id, at: TestStation.start.advanced(by: .seconds(60)), "planted marker")
      _ = try StrapRepository(database: stations[0].database).remember(
        KnownStrap(
          address: BluetoothAddress(value: 0xC8DE_ADBE_EF01, kind: .random), name: "planted strap",
          advertisedName: nil, isBonded: false, added: TestStation.start, person: "Wilhelmina Zebra", label: nil))
      for station in stations + stations { try await station.sync(store) }
      var notifications: [UInt8] = []
      for entry in try stations[1].rows(of: id).rows.entries {
        if case .notification(let bytes) = entry.content { notifications += bytes }
      }
      #expect(notifications.count > 2000)
      let texts = [
        "planted-bedroom", "planted-laptop", "Wilhelmina Zebra", "planted-label-7781", "planted note of the trial",
        "planted marker", "planted strap", "C8:DE:AD:BE:EF:01", id,
      ]
      let planted = Self.runs(texts.map { Array($0.utf8) } + [notifications])
      let contents = try await store.contents()
      #expect(contents.count > 6)
      for object in contents {
        #expect(Self.runs([object.bytes]).isDisjoint(with: planted), "\(object.key)")
      }
      // The search finds what is there.
      #expect(!Self.runs([Array("a planted-label-7781".utf8)]).isDisjoint(with: planted))
    }
  }

  /// Returns all runs of 8 bytes, as numbers.
  private static func runs(_ values: [[UInt8]]) -> Set<UInt64> {
    var runs: Set<UInt64> = []
    for bytes in values where bytes.count >= 8 {
      var run: UInt64 = 0
      for (place, byte) in bytes.enumerated() {
        run = run << 8 | UInt64(byte)
        if place >= 7 { runs.insert(run) }
      }
    }
    return runs
  }
}
