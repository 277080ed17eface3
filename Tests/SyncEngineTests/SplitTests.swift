import Recording
import Repository
import Sync
import SyncEngine
import SyncTestKit
import TachogramCore
import Testing

/// Sessions that are split and merged on one station, whoever recorded them.
@Suite("Splitting and merging in a space")
struct SplitTests {
  private static func editor(_ station: TestStation) -> SessionEditor {
    SessionEditor(
      database: station.database, keeping: SessionReprocessor.Keeping(installation: nil, restoresAbsent: false),
      running: [])
  }

  private static func record(_ station: TestStation, _ id: String) throws -> SessionRecord {
    try station.sessions.session(matching: id)
  }

  /// Synchronises until nothing changes, then compares everything on all stations.
  private static func expectEqual(
    _ stations: [TestStation], _ ids: Set<String>, _ store: any SyncStoreProtocol
  ) async throws {
    for station in stations + stations + stations { try await station.sync(store) }
    for station in stations {
      #expect(Set(try station.sessions.sessions().map(\.description.id)) == ids, "\(station.name)")
      for id in ids {
        let (one, other) = (try station.rows(of: id), try stations[0].rows(of: id))
        let (mine, theirs) = (Set(one.rows.stress), Set(other.rows.stress))
        #expect(mine == theirs, "\(station.name): \(mine.symmetricDifference(theirs))")
        #expect(one.rows.windows == other.rows.windows, "\(station.name): windows")
        #expect(one.markers == other.markers, "\(station.name): markers")
        #expect(one.record == other.record, "\(station.name)")
        #expect(one == other, "\(station.name)")
      }
      let report = try SyncStatusReport(station.loaded())
      #expect(report.findings.isEmpty && report.unsealedCount == 0, "\(station.name): \(report.findings)")
    }
  }

  @Test(arguments: StoreChoice.allCases, [0, 1])
  func testSplit_IsTheSameEverywhere(choice: StoreChoice, place: Int) async throws {
    try await choice.run { store in
      var stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let id = try stations[0].record(label: "night")
      try stations[0].annotations.change(id, SessionEdit(note: "slept"))
      for second in [100, 800] {
        _ = try stations[0].annotations.mark(id, at: TestStation.start.advanced(by: .seconds(second)), "at \(second)")
      }
      for station in stations + stations { try await station.sync(store) }
      let levels = try stations[0].sessions.stress(of: id).count
      #expect(levels > 4)
      let other = try Self.editor(stations[place]).split(
        Self.record(stations[place], id), at: TestStation.start.advanced(by: .seconds(500)))
      try await Self.expectEqual(stations, [id, other], store)
      #expect(try stations[1].rows(of: id).rows.entries.count == 500)
      #expect(try stations[1].rows(of: other).markers.map(\.text) == ["at 800"])
      // A station that joins later, and one that has forgotten what it knew.
      stations.append(try TestStation("phone"))
      try await TestSpaces.join(stations[2], to: stations[0], in: store)
      for station in stations { station.restart() }
      try await Self.expectEqual(stations, [id, other], store)
      // And together again.
      let merged = try Self.editor(stations[place]).merge(
        Self.record(stations[place], id), Self.record(stations[place], other))
      try await Self.expectEqual(stations, [merged], store)
      #expect(try stations[2].rows(of: merged).rows.entries.count == 900)
      for station in stations { #expect(try station.sessions.stress(of: merged).count == levels, "\(station.name)") }
      #expect(try stations[2].rows(of: merged).markers.count == 2)
    }
  }

  @Test(arguments: StoreChoice.allCases, [0, 1])
  func testMerge_IsTheSameEverywhere(choice: StoreChoice, place: Int) async throws {
    try await choice.run { store in
      var stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
      let ids = [
        try stations[0].record(seconds: 400), try stations[0].record(seconds: 400, after: .seconds(600), seed: 2),
      ]
      for station in stations + stations { try await station.sync(store) }
      let merged = try Self.editor(stations[place]).merge(
        Self.record(stations[place], ids[0]), Self.record(stations[place], ids[1]))
      #expect(!ids.contains(merged))
      stations.append(try TestStation("phone"))
      try await TestSpaces.join(stations[2], to: stations[0], in: store)
      try await Self.expectEqual(stations, [merged], store)
      #expect(try stations[2].rows(of: merged).rows.entries.count == 800)
    }
  }

  /// The earlier session is on this station alone, the later one everywhere.
  @Test func testSharedSessionMergedIntoOneThatIsNot_HasItsLevelsEverywhere() async throws {
    let store = MemoryStore()
    let stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
    let later = try stations[0].record(after: .seconds(1_200), seed: 2)
    for station in stations + stations { try await station.sync(store) }
    let earlier = try stations[0].record()
    let levels = try [earlier, later].map { try stations[0].sessions.stress(of: $0).count }.reduce(0, +)
    let merged = try Self.editor(stations[0]).merge(
      Self.record(stations[0], earlier), Self.record(stations[0], later))
    #expect(merged != earlier && merged != later)
    try await Self.expectEqual(stations, [merged], store)
    #expect(try stations[1].sessions.stress(of: merged).count == levels)
  }

  @Test(arguments: [true, false])
  func testSplitOnBothAtOnce_FirstPartIsTheSame(isFirstEarlier: Bool) async throws {
    let store = MemoryStore()
    var stations = try await TestSpaces.make(["bedroom", "laptop"], in: store)
    let id = try stations[0].record()
    for station in stations + stations { try await station.sync(store) }
    var parts: Set<String> = [id]
    for (station, second) in zip(stations, isFirstEarlier ? [300, 600] : [600, 300]) {
      parts.insert(
        try Self.editor(station).split(Self.record(station, id), at: TestStation.start.advanced(by: .seconds(second))))
    }
    stations.append(try TestStation("phone"))
    try await TestSpaces.join(stations[2], to: stations[0], in: store)
    try await Self.expectEqual(stations, parts, store)
    for station in stations { #expect(try station.rows(of: id).rows.entries.count == 300) }
  }

  @Test func testSessionsThatNobodyElseHas_KeepTheIdentifier() async throws {
    let station = try TestStation("alone")
    let ids = [try station.record(seconds: 400), try station.record(seconds: 400, after: .seconds(600), seed: 2)]
    let merged = try Self.editor(station).merge(Self.record(station, ids[0]), Self.record(station, ids[1]))
    #expect(merged == ids[0])
  }
}
