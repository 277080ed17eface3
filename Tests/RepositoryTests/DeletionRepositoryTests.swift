import Foundation
import GRDB
import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

@Suite("Deletion")
struct DeletionRepositoryTests {
  private let folder: TemporaryFolder
  private let database: TachogramDatabase
  private let deletion: DeletionRepository

  /// What only Anna's strap said.
  private static let secret = Array("annas-heart-beats".utf8)

  /// Three sessions of ten entries, an hour apart: two of Anna, one of Ben.
  init() throws {
    folder = try TemporaryFolder()
    database = try .open(path: folder.database)
    deletion = DeletionRepository(database: database)
    for (number, person) in ["Anna", "Ben", "Anna"].enumerated() {
      let id = SessionFixture.identifier(number)
      let sessions = SessionRepository(database: database)
      try sessions.begin(SessionFixture.description(id: id, person: person, startSecond: Int64(number) * 3600))
      var batch = SessionFixture.batch(0..<10)
      if person == "Anna" {
        batch.entries = batch.entries.map { entry in
          var entry = entry
          entry.content = .notification(Self.secret + [UInt8(entry.sequence)])
          return entry
        }
      }
      batch.entries = batch.entries.map { entry in
        var entry = entry
        entry.wall = entry.wall.advanced(byMicroseconds: Int64(number) * 3_600_000_000)
        return entry
      }
      var values = HRVValues()
      values.meanHeartRate = 60
      batch.windows = [SessionFixture.window(endSecond: 65, length: 300, values: values)]
      batch.stress = [SessionFixture.stress(person: person, second: Double(number) * 3601, sessionID: id)]
      try sessions.append(batch, to: id)
      try sessions.finish(id)
    }
  }

  private func sessions() throws -> [String] {
    try SessionRepository(database: database).sessions().map { String($0.description.id.prefix(8)) }.sorted()
  }

  private func count(_ table: String) throws -> Int {
    try database.writer.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? -1 }
  }

  @Test func testPreview_CountsAndDeletesNothing() throws {
    var selection = SessionSelection()
    selection.person = "Anna"
    let contents = try deletion.preview(selection)
    #expect(contents.sessions == 2)
    #expect(contents.notifications == 20)
    #expect(contents.beats == 2 * SessionFixture.beatCount(entries: 10))
    #expect(contents.stress == 2)
    #expect(contents.first == WallTime(microseconds: SessionFixture.wallStart))
    #expect(contents.last == WallTime(microseconds: SessionFixture.wallStart + 7_209_000_000))
    #expect(try sessions().count == 3)
    #expect(try deletion.delete(selection) == contents)
  }

  @Test func testPerson_IsForgottenToTheLastByte() throws {
    var selection = SessionSelection()
    selection.person = "Anna"
    try deletion.delete(selection)
    #expect(try sessions() == ["00000001"])
    #expect(try HistoryRepository(database: database).persons() == ["Ben"])
    for (table, left) in [("ledger", 10), ("stress_measurement", 1), ("hrv_window", 1), ("session", 1), ("link", 1)] {
      #expect(try count(table) == left, "\(table)")
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      let bytes = try Data(contentsOf: URL(filePath: folder.path(name)))
      #expect(bytes.range(of: Data(Self.secret)) == nil, "\(name)")
      #expect(bytes.range(of: Data("Anna".utf8)) == nil, "\(name)")
    }
    #expect(try database.checkIntegrity() == [])
  }

  /// Who records is asked when nothing can begin any more.
  @Test func testSessionThatBeginsMeanwhile_Stays() throws {
    let second = SessionFixture.identifier(1)
    let deleted = try deletion.delete(SessionSelection(), except: { [second] })
    #expect(deleted.sessions == 2)
    #expect(try SessionRepository(database: database).sessions().map(\.description.id) == [second])
  }

  /// What is usual for a person was computed from what is deleted; who is deleted does not come back by it.
  @Test func testBaseline_GoesWithWhatItWasComputedFrom() async throws {
    func repository(_ person: String) -> StressRepository {
      StressRepository(database: database, person: person, kind: .sdnn, now: { SessionFixture.stress().timestamp })
    }
    var usual = try await repository("Anna").getBaseline()
    (usual.sampleCount, usual.baselineHRV) = (40, 61)
    for person in ["Anna", "Ben"] { try await repository(person).updateBaseline(usual) }
    try deletion.delete(.session(SessionFixture.identifier(0)))
    #expect(try await repository("Anna").getBaseline().sampleCount == 0)
    #expect(try await repository("Ben").getBaseline().sampleCount == 40)
    try await repository("Anna").refreshBaseline(usual)
    #expect(try await repository("Anna").getBaseline().sampleCount == 40)
    var selection = SessionSelection()
    selection.person = "Anna"
    try deletion.delete(selection)
    try await repository("Anna").refreshBaseline(usual)
    #expect(try HistoryRepository(database: database).persons() == ["Ben"])
  }

  @Test func testSelection_IsWhatAllKeysSelect() throws {
    func count(_ change: (inout SessionSelection) -> Void) throws -> Int64 {
      var selection = SessionSelection()
      change(&selection)
      return try deletion.preview(selection).sessions
    }
    let wall = { (second: Int64) in WallTime(microseconds: SessionFixture.wallStart + second * 1_000_000) }
    #expect(try count { _ in } == 3)
    #expect(try count { $0.session = SessionFixture.identifier(1) } == 1)
    #expect(try count { $0.session = SessionFixture.identifier(9) } == 0)
    #expect(try count { $0.person = "Clara" } == 0)
    #expect(try count { $0.strap = SessionFixture.description().strap.address } == 3)
    #expect(try count { $0.strap = BluetoothAddress(value: 1, kind: .public) } == 0)
    #expect(try count { $0.excluding = [SessionFixture.identifier(0)] } == 2)
    #expect(try count { $0.range = wall(0)...wall(3609) } == 2)
    // A session is never cut.
    #expect(try count { $0.range = wall(0)...wall(3608) } == 1)
    #expect(try count { $0.range = wall(1)...wall(10_000) } == 2)
    #expect(
      try count {
        $0.person = "Anna"
        $0.range = wall(3600)...wall(10_000)
      } == 1)
  }

  @Test func testCategory_DeletesThatAlone() throws {
    var selection = SessionSelection()
    selection.person = "Anna"
    let windows = try deletion.preview(selection, .windows)
    #expect((windows.windows, windows.stress, windows.notifications) == (2, 0, 0))
    #expect(try deletion.delete(selection, .windows) == windows)
    #expect(try (count("hrv_window"), count("stress_measurement"), count("session")) == (1, 3, 3))
    let stress = try deletion.delete(selection, .stress)
    #expect((stress.windows, stress.stress, stress.notifications) == (0, 2, 0))
    #expect(try (count("stress_measurement"), count("session"), count("person")) == (1, 3, 2))
  }

  /// Levels whose recording is gone are a person's as well, and have a time.
  @Test func testStressOfNoSession_IsSelectedByPersonAndTime() async throws {
    _ = try deletion.expire(before: WallTime(microseconds: .max), except: [])
    #expect(try count("stress_measurement") == 3)
    var selection = SessionSelection()
    selection.session = SessionFixture.identifier(0)
    #expect(try deletion.delete(selection, .stress).stress == 0)
    selection = SessionSelection()
    selection.person = "Anna"
    selection.range = WallTime(microseconds: .min)...WallTime(microseconds: 0)
    #expect(try deletion.delete(selection, .stress).stress == 0)
    selection.range = nil
    #expect(try deletion.delete(selection, .stress).stress == 2)
    #expect(try count("stress_measurement") == 1)
  }

  /// Somebody is recorded while another asks to be forgotten.
  @Test func testPersonIsForgotten_WhoeverIsRecordedMeanwhile() throws {
    try TrendRepository(database: database, timeZone: .gmt).refresh()
    var selection = SessionSelection()
    selection.person = "Anna"
    selection.excluding = [SessionFixture.identifier(1)]
    #expect(try deletion.delete(selection).people == 1)
    #expect(try HistoryRepository(database: database).persons() == ["Ben"])
    #expect(try (count("rollup"), count("stress_measurement")) == (2, 1))
    // And when she is recorded herself, all goes but that.
    selection.person = "Ben"
    #expect(try deletion.delete(selection).people == 0)
    #expect(try HistoryRepository(database: database).persons() == ["Ben"])
    try TrendRepository(database: database, timeZone: .gmt).refresh()
    #expect(try (count("session"), count("rollup"), count("stress_measurement")) == (1, 2, 1))
  }

  /// What hours and days amounted to goes with what it was made of, also where a policy has deleted the windows.
  @Test(arguments: [false, true])
  func testTrends_DoNotOutliveWhatWasDeleted(withWindows: Bool) throws {
    let trends = TrendRepository(database: database, timeZone: .gmt)
    try trends.refresh()
    let before = try trends.hours(of: "Ben")
    try #require(before.count == 1 && before[0].highestStress != nil)
    if !withWindows { try deletion.deleteWindows(before: WallTime(microseconds: .max), except: []) }
    var selection = SessionSelection()
    selection.person = "Ben"
    try deletion.delete(selection, .stress)
    try trends.refresh()
    var without = before
    (without[0].stress, without[0].highestStress) = (nil, nil)
    #expect(try trends.hours(of: "Ben") == without)
    selection.person = nil
    selection.session = SessionFixture.identifier(1)
    try deletion.delete(selection)
    try trends.refresh()
    #expect(try trends.hours(of: "Ben").isEmpty)
    #expect(try !trends.hours(of: "Anna").isEmpty)
  }

  /// A range at the end of which another session begins, when the windows are gone by a policy.
  @Test func testRange_LeavesTheDaysAndHoursOfWhatStays() throws {
    let trends = TrendRepository(database: database, timeZone: .gmt)
    try trends.refresh()
    let start = WallTime(microseconds: SessionFixture.wallStart)
    func days(_ person: String) throws -> [TrendPoint] {
      try trends.points(of: person, .week, last: CivilDay(number: SessionFixture.wallStart / 86_400_000_000)).points
    }
    try deletion.deleteWindows(before: WallTime(microseconds: .max), except: [])
    let (anna, ben, day) = (try trends.hours(of: "Anna"), try trends.hours(of: "Ben"), try days("Anna"))
    #expect((anna.count, ben.count, day.count) == (2, 1, 1))
    var selection = SessionSelection()
    selection.range = start...start.advanced(byMicroseconds: 3_600_000_000)
    #expect(try deletion.delete(selection).sessions == 1)
    try trends.refresh()
    #expect(try trends.hours(of: "Ben") == ben)
    // Of Anna's two sessions the first is gone, with its hour; her day is what the other hour is.
    #expect(try trends.hours(of: "Anna") == [anna[1]])
    #expect(try days("Anna").map(\.minutes) == [anna[1].minutes])
    #expect(try days("Anna").map(\.highestStress) == [anna[1].highestStress])
  }

  /// History whose recordings a policy has deleted is a person's too, and has a time.
  @Test func testHistoryOfNoSession_IsSelectedByPersonAndTime() throws {
    try TrendRepository(database: database, timeZone: .gmt).refresh()
    _ = try deletion.expire(before: WallTime(microseconds: .max), except: [])
    var selection = SessionSelection()
    selection.range = WallTime(microseconds: .min)...WallTime(microseconds: 0)
    #expect(try deletion.preview(selection).isEmpty)
    selection.range = WallTime(microseconds: .min)...WallTime(microseconds: .max)
    selection.person = "Anna"
    let preview = try deletion.preview(selection)
    #expect((preview.sessions, preview.stress, preview.trends, preview.people) == (0, 2, 2, 0))
    selection.range = nil
    #expect(try deletion.delete(selection).people == 1)
    #expect(try (count("stress_measurement"), count("person")) == (1, 1))
  }

  /// An address finds its wearer.
  @Test func testAddress_GoesWithTheLastThatIsOfIt() throws {
    let straps = StrapRepository(database: database)
    let mine = KnownStrap(
      address: SessionFixture.description().strap.address, name: "mine", added: WallTime(microseconds: 0))
    try straps.remember(mine)
    try deletion.delete(SessionSelection())
    #expect(try count("strap") == 1)
    try straps.forget(mine)
    #expect(try count("strap") == 0)
  }

  @Test func testEverything_IsDeletedWithThePeople() throws {
    try deletion.delete(SessionSelection())
    for table in ["session", "ledger", "beat", "stress_measurement", "hrv_window", "person", "rollup"] {
      #expect(try count(table) == 0, "\(table)")
    }
  }

  /// By policy: trends and stress outlive what they were computed from.
  @Test func testExpiry_KeepsWhatDaysAmountedTo() async throws {
    let limit = WallTime(microseconds: SessionFixture.wallStart + 3_609_000_000)
    #expect(try deletion.expire(before: limit, except: []) == 1)
    #expect(try sessions() == ["00000001", "00000002"])
    #expect(try count("stress_measurement") == 3)
    #expect(try deletion.expire(before: limit, except: []) == 0)
    try deletion.deleteWindows(before: limit.advanced(byMicroseconds: 1), except: [])
    #expect(try count("hrv_window") == 1)
    #expect(try count("ledger") == 20)
  }

  @Test func testRunningSession_DoesNotExpire() throws {
    let (running, cutOff) = (SessionFixture.identifier(7), SessionFixture.identifier(8))
    for id in [running, cutOff] {
      try SessionRepository(database: database).begin(SessionFixture.description(id: id))
    }
    try deletion.deleteWindows(before: WallTime(microseconds: .max), except: [SessionFixture.identifier(0)])
    #expect(try count("hrv_window") == 1)
    #expect(try deletion.expire(before: WallTime(microseconds: .max), except: [running]) == 4)
    #expect(try sessions() == ["00000007"])
  }
}
