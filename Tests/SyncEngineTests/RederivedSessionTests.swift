import Recording
import Repository
import StressKit
import Sync
import SyncEngine
import SyncTestKit
import TachogramCore
import Testing

/// Sessions that are made, and derived, more than once: on one station, or on several that do not know of each other yet.
@Suite("Sessions that several stations change")
struct RederivedSessionTests {
  private static let keeping = SessionReprocessor.Keeping(installation: "bedroom", restoresAbsent: false)

  private static func editor(_ station: TestStation) -> SessionEditor {
    SessionEditor(database: station.database, keeping: keeping, running: [])
  }

  private static func merge(_ station: TestStation, _ one: String, _ other: String) throws -> String {
    try editor(station).merge(station.sessions.session(matching: one), station.sessions.session(matching: other))
  }

  private static func split(_ station: TestStation, _ id: String, at second: Int) throws -> String {
    try editor(station).split(
      station.sessions.session(matching: id), at: TestStation.start.advanced(by: .seconds(second)))
  }

  /// Makes two stations that have two sessions in common.
  private static func stations(in store: any SyncStoreProtocol) async throws -> ([TestStation], [String]) {
    let stations = try await TestSpaces.make(["bedroom", "laptop", "phone"], in: store)
    let ids = [
      try stations[0].record(seconds: 430), try stations[0].record(seconds: 400, after: .seconds(600), seed: 2),
    ]
    for station in stations + stations { try await station.sync(store) }
    return (stations, ids)
  }

  /// Synchronises until nothing changes, then compares everything on all stations.
  private static func expectEqual(_ stations: [TestStation], _ store: any SyncStoreProtocol) async throws {
    for station in stations + stations + stations {
      let pass = try await station.sync(store)
      #expect(pass.download.refused.isEmpty && pass.download.findings.isEmpty, "\(pass.download.refused)")
    }
    let ids = Set(try stations[0].sessions.sessions().map(\.description.id))
    for station in stations.dropFirst() {
      #expect(try Set(station.sessions.sessions().map(\.description.id)) == ids, "\(station.name)")
      for id in ids {
        let (one, other) = (try station.rows(of: id), try stations[0].rows(of: id))
        #expect(Set(one.rows.stress) == Set(other.rows.stress), "\(station.name): levels")
        #expect(one.rows.links == other.rows.links, "\(station.name): links")
        #expect(one == other, "\(station.name)")
      }
    }
    for station in stations {
      let report = try SyncStatusReport(station.loaded())
      #expect(report.findings.isEmpty && report.unsealedCount == 0, "\(station.name): \(report.findings)")
    }
  }

  /// The identifier of a part that was merged away was deleted, and another station would not store a session that has it.
  @Test func testSplitAtThePlaceOfAMergedPart_IsEverywhere() async throws {
    let store = MemoryStore()
    let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
    let id = try stations[0].record()
    let part = try Self.split(stations[0], id, at: 500)
    let merged = try Self.merge(stations[0], id, part)
    try await Self.expectEqual(stations, store)
    let parts = [merged, try Self.split(stations[0], merged, at: 500)]
    try await Self.expectEqual(stations, store)
    #expect(try Set(stations[1].sessions.sessions().map(\.description.id)) == Set(parts))
    let again = try Self.merge(stations[0], parts[0], parts[1])
    let second = try Self.split(stations[0], again, at: 500)
    try await Self.expectEqual(stations, store)
    #expect(try stations[1].rows(of: second).rows.entries.count == 400)
  }

  @Test func testSameMergeOnTwoStations_IsOneSession() async throws {
    let store = MemoryStore()
    let (stations, ids) = try await Self.stations(in: store)
    let merged = try stations.dropLast().map { try Self.merge($0, ids[0], ids[1]) }
    #expect(merged[0] == merged[1])
    // One of them goes on.
    _ = try Self.split(stations[0], merged[0], at: 700)
    try await Self.expectEqual(stations, store)
    #expect(try stations[2].rows(of: merged[0]).rows.entries.count == 530)
  }

  /// They have the same parts by name, but not the same entries.
  @Test func testMergeOfAPartAndOfTheWhole_AreTwoSessions() async throws {
    let store = MemoryStore()
    let (stations, ids) = try await Self.stations(in: store)
    let third = try stations[1].record(seconds: 100, after: .seconds(1_200), seed: 3)
    _ = try Self.split(stations[1], ids[0], at: 300)
    let merged = [try Self.merge(stations[0], ids[0], ids[1]), try Self.merge(stations[1], ids[0], ids[1])]
    #expect(merged[0] != merged[1])
    _ = try Self.merge(stations[1], merged[1], third)
    try await Self.expectEqual(stations, store)
  }

  @Test(arguments: StoreChoice.allCases)
  func testLevelsThatAreNoMore_AreNowhere(choice: StoreChoice) async throws {
    try await choice.run { store in
      var (stations, ids) = try await Self.stations(in: store)
      let merged = try Self.merge(stations[0], ids[0], ids[1])
      try await Self.expectEqual(stations, store)
      let before = try stations[1].sessions.stress(of: merged)
      let reprocessor = SessionReprocessor(database: stations[0].database)
      let change = try reprocessor.reprocess(
        stations[0].sessions.session(matching: merged), keeping: Self.keeping, isTrial: false)
      #expect(change.isChanged)
      let after = try stations[0].sessions.stress(of: merged)
      #expect(!Set(before.map(\.id)).isSubset(of: after.map(\.id)))
      try await Self.expectEqual(stations, store)
      // A station that joins later reads the old levels before the new ones.
      stations.append(try TestStation("tablet"))
      try await TestSpaces.join(stations[3], to: stations[0], in: store)
      try await Self.expectEqual(stations, store)
      #expect(try stations[3].sessions.stress(of: merged).count == after.count)
    }
  }

  /// Another station has the same session, and seals its levels after they were derived again here.
  @Test func testSessionOfTwoStations_DerivedAgainOnOne_IsTheSameEverywhere() async throws {
    let store = MemoryStore()
    let (stations, ids) = try await Self.stations(in: store)
    let merged = try stations.dropLast().map { try Self.merge($0, ids[0], ids[1]) }
    try await stations[0].sync(store)
    _ = try SessionReprocessor(database: stations[0].database).reprocess(
      stations[0].sessions.session(matching: merged[0]), keeping: Self.keeping, isTrial: false)
    try await stations[0].sync(store)
    try await Self.expectEqual(stations, store)
  }

  /// A marker is moved to one session here, and to another one there, which does not last.
  @Test(arguments: [[0, 1, 2], [2, 1, 0]])
  func testMarkerOfSessionsMergedOnTwoStations_IsEverywhere(order: [Int]) async throws {
    let store = MemoryStore()
    let (stations, ids) = try await Self.stations(in: store)
    let third = try stations[0].record(seconds: 100, after: .seconds(1_200), seed: 3)
    _ = try stations[0].annotations.mark(ids[0], at: TestStation.start.advanced(by: .seconds(60)), "coffee")
    for station in stations + stations { try await station.sync(store) }
    let first = try Self.merge(stations[0], ids[0], ids[1])
    let merged = try Self.merge(stations[0], first, third)
    #expect(try Self.merge(stations[1], ids[0], ids[1]) == first)
    for number in order { try await stations[number].sync(store) }
    try await Self.expectEqual(stations, store)
    for station in stations {
      #expect(try station.sessions.markers(of: merged).map(\.text) == ["coffee"], "\(station.name)")
    }
  }

  /// Both have imported one recording, with different baselines.
  @Test(arguments: [[0, 1, 2], [1, 0, 2], [2, 1, 0]])
  func testLevelsThatTwoStationsDerived_AreTheSameEverywhere(order: [Int]) async throws {
    let store = MemoryStore()
    let stations = try await TestSpaces.make(["bedroom", "laptop", "phone"], in: store)
    let id = try stations[0].record()
    let session = try stations[0].sessions.session(matching: id).description
    try stations[1].append(session, from: 0, count: 900, isOver: true)
    var changed = try stations[1].sessions.stress(of: id)
    for place in changed.indices { changed[place].restingHeartRate = 62 }
    var batch = SessionBatch()
    batch.stress = changed
    try stations[1].sessions.append(batch, to: id)
    for number in order { try await stations[number].sync(store) }
    try await Self.expectEqual(stations, store)
    #expect(try stations[2].sessions.stress(of: id).count == changed.count && !changed.isEmpty)
  }
}
