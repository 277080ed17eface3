import FoundationEssentials
import GRDB
import Repository
import StressKit
import TachogramCore
import Testing

@Suite("Trends")
struct TrendRepositoryTests {
  private let database: TachogramDatabase

  init() throws {
    database = try .inMemory()
  }

  /// The fixtures begin at 2026-01-01T00:00:00Z, a Thursday.
  private static let day = CivilDay(number: SessionFixture.wallStart / 86_400_000_000)

  private func trends(_ zone: TimeZone = .gmt) -> TrendRepository {
    TrendRepository(database: database, timeZone: zone)
  }

  /// Stores a session with a 5-minute window at the end of each minute.
  private func store(_ number: Int, of person: String?, from second: Int64, heartRates: [Double?]) throws {
    let id = SessionFixture.identifier(number)
    let sessions = SessionRepository(database: database)
    try sessions.begin(SessionFixture.description(id: id, person: person, startSecond: second))
    var batch = SessionBatch()
    for (index, heartRate) in heartRates.enumerated() {
      var values = HRVValues()
      values.meanHeartRate = heartRate
      values.sdnn = heartRate.map { $0 / 2 }
      let end = Int64(index + 1) * 60
      batch.windows.append(SessionFixture.window(endSecond: 5 + end, length: 300, values: values))
      batch.windows.append(SessionFixture.window(endSecond: 5 + end, length: 60, values: values))
      var stress = SessionFixture.stress(person: person, second: Double(second + end), sessionID: id)
      stress.stressLevel = (heartRate ?? 0) / 2
      batch.stress.append(stress)
    }
    try sessions.append(batch, to: id)
  }

  /// As those of a file, which come behind its windows.
  @Test func testLevelsThatComeLate_AreOfTheirHours() throws {
    try store(1, of: "Anna", from: 0, heartRates: [60, 62])
    let sessions = SessionRepository(database: database)
    let levels = try sessions.stress(of: SessionFixture.identifier(1))
    try database.writer.write { db in try db.execute(sql: "DELETE FROM stress_measurement") }
    try trends().refresh()
    #expect(try trends().points(of: "Anna", .day, last: Self.day).points.map(\.stress) == [nil])
    var batch = SessionBatch()
    batch.stress = levels
    try sessions.append(batch, to: SessionFixture.identifier(1))
    #expect(try pending() == 1)
    try trends().refresh()
    #expect(try trends().points(of: "Anna", .day, last: Self.day).points.map(\.stress) == [30.5])
  }

  private func pending() throws -> Int {
    try database.writer.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM rollup_pending") ?? -1 }
  }

  @Test func testHoursAndDays_AreOfTheirWindows() throws {
    // 30 minutes before 01:00, and 30 behind it; the last window is of a minute in which nothing was valid.
    try store(1, of: "Anna", from: 1800, heartRates: (0..<60).map { $0 == 59 ? nil : Double(60 + $0) })
    try store(2, of: "Ben", from: 1800, heartRates: [100])
    try trends().refresh()
    #expect(try pending() == 0)
    let hours = try trends().points(of: "Anna", .day, last: Self.day)
    #expect(hours.range.lowerBound == WallTime(microseconds: SessionFixture.wallStart))
    #expect(hours.range.upperBound == WallTime(microseconds: SessionFixture.wallStart + 86_400_000_000))
    #expect(hours.points.map(\.minutes) == [29, 30])
    // The window that ends at 01:00 is the first of its hour.
    #expect(hours.points.map(\.meanHeartRate) == [74, 103.5])
    #expect(hours.points.map(\.lowestHeartRate) == [60, 89])
    #expect(hours.points.map(\.sdnn) == [37, 51.75])
    #expect(hours.points.map(\.rmssd) == [nil, nil])
    #expect(hours.points.map(\.highestStress) == [44, 59])
    let days = try trends().points(of: "Anna", .week, last: Self.day)
    #expect(days.points.count == 1)
    #expect(days.points.first?.minutes == 59)
    #expect(days.points.first?.meanHeartRate == 89)
    #expect(try trends().points(of: "Clara", .week, last: Self.day).points.isEmpty)
    #expect(try trends().points(of: nil, .week, last: Self.day).points.isEmpty)
    #expect(try trends().points(of: "Anna", .week, last: Self.day.advanced(by: -1)).points.isEmpty)
  }

  /// Whatever comes and goes, the kept values equal those that are computed from nothing.
  @Test func testRollups_FollowWhatIsStored() throws {
    try store(1, of: nil, from: 82_800, heartRates: (0..<120).map { Double(60 + $0 % 7) })
    try trends().refresh()
    try store(2, of: nil, from: 83_000, heartRates: [50, 51, 52])
    #expect(try pending() == 1)
    try trends().refresh()
    var selection = SessionSelection()
    selection.session = SessionFixture.identifier(1)
    try DeletionRepository(database: database).delete(selection)
    #expect(try pending() == 3)
    try trends().refresh()
    let kept = try trends().points(of: nil, .week, last: Self.day.advanced(by: 1)).points
    try database.writer.write { db in
      try db.execute(
        sql: """
          DELETE FROM rollup;
          INSERT INTO rollup_pending SELECT 0, (start_us + end_us - start_monotonic_us) / 3600000000
            FROM hrv_window JOIN session ON session.key = hrv_window.session WHERE length = 300 GROUP BY 2;
          """)
    }
    try trends().refresh()
    #expect(try trends().points(of: nil, .week, last: Self.day.advanced(by: 1)).points == kept)
    #expect(kept.map(\.minutes) == [3])
  }

  @Test func testSessionThatIsDerivedAnew_IsCountedOnce() throws {
    for _ in 0..<2 { try store(1, of: nil, from: 0, heartRates: [60, 61]) }
    try trends().refresh()
    #expect(try trends().points(of: nil, .day, last: Self.day).points.map(\.minutes) == [2])
  }

  /// A replay of the same capture for another person, or with another start, takes the session from where it was.
  @Test func testSessionThatBecomesSomebodyElses_CountsThereAlone() throws {
    try store(1, of: "Anna", from: 0, heartRates: [60, 61])
    try trends().refresh()
    try store(1, of: "Ben", from: 7200, heartRates: [60, 61])
    try trends().refresh()
    #expect(try trends().points(of: "Anna", .day, last: Self.day).points.isEmpty)
    #expect(try trends().points(of: "Anna", .week, last: Self.day).points.isEmpty)
    let bens = try trends().points(of: "Ben", .day, last: Self.day)
    #expect(bens.points.map(\.minutes) == [2])
    #expect(bens.points.map(\.start) == [bens.range.lowerBound.advanced(byMicroseconds: 7_200_000_000)])
  }

  /// Berlin is an hour ahead of UTC in January: 23:30 UTC is half past midnight there.
  @Test func testDays_AreThoseOfTheStation() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    try store(1, of: nil, from: 23 * 3600 + 1800, heartRates: [60, 60])
    try trends(berlin).refresh()
    let next = Self.day.advanced(by: 1)
    #expect(
      try trends(berlin).points(of: nil, .week, last: next).points.map(\.start) == [WallTime(next.start(in: berlin))])
    #expect(try trends(berlin).points(of: nil, .day, last: Self.day).points.isEmpty)
    #expect(try trends(berlin).points(of: nil, .day, last: next).points.map(\.minutes) == [2])
    // Days of a zone that the station was in before are void; hours are the same everywhere.
    #expect(try trends(.gmt).points(of: nil, .week, last: next).points.isEmpty)
    #expect(try trends(.gmt).points(of: nil, .day, last: Self.day).points.map(\.minutes) == [2])
  }

  /// As on a machine whose zone is set when it has recorded for long: also where the windows are gone.
  @Test(arguments: [true, false])
  func testOtherTimeZone_KeepsThePast(withWindows: Bool) throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    for day in Int64(0)..<3 {
      try store(Int(day), of: "Anna", from: day * 86_400 + 23 * 3600, heartRates: [60 + Double(day), 62])
    }
    try store(3, of: nil, from: 3600, heartRates: [90])
    try trends(.gmt).refresh()
    let last = Self.day.advanced(by: 3)
    let before = try trends(.gmt).points(of: "Anna", .week, last: last).points
    #expect(before.map(\.lowestHeartRate) == [60, 61, 62])
    if !withWindows {
      try DeletionRepository(database: database).deleteWindows(before: WallTime(microseconds: .max), except: [])
    }
    try trends(berlin).adoptTimeZone()
    let after = try trends(berlin).points(of: "Anna", .week, last: last).points
    #expect(after.map(\.start) == (1...3).map { WallTime(Self.day.advanced(by: $0).start(in: berlin)) })
    #expect(after.map(\.lowestHeartRate) == before.map(\.lowestHeartRate))
    #expect(after.map(\.minutes) == before.map(\.minutes) && after.map(\.stress) == before.map(\.stress))
    #expect(try trends(berlin).points(of: nil, .week, last: last).points.map(\.minutes) == [1])
    // Nothing changes where all are right.
    try trends(berlin).adoptTimeZone()
    #expect(try trends(berlin).points(of: "Anna", .week, last: last).points == after)
  }

  /// Kolkata is 5:30 ahead: an hour of UTC lies in two of its days.
  @Test func testHourAcrossMidnight_CountsForBothDays() throws {
    let kolkata = try #require(TimeZone(identifier: "Asia/Kolkata"))
    try store(1, of: nil, from: 18 * 3600 + 1620, heartRates: [60, 60, 60])
    try trends(kolkata).refresh()
    let points = try trends(kolkata).points(of: nil, .week, last: Self.day.advanced(by: 1)).points
    #expect(points.map(\.minutes) == [2, 1])
  }

  @Test func testPersonWhoIsForgotten_LeavesNoTrend() throws {
    try store(1, of: "Anna", from: 0, heartRates: [60])
    try trends().refresh()
    var selection = SessionSelection()
    selection.person = "Anna"
    try DeletionRepository(database: database).delete(selection)
    try trends().refresh()
    let left = try database.writer.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM rollup") }
    #expect(left == 0)
  }

  @Test func testOldTrends_AreDeletedByPolicy() throws {
    try store(1, of: nil, from: 0, heartRates: [60])
    try store(2, of: nil, from: 86_400, heartRates: [60])
    try trends().refresh()
    try DeletionRepository(database: database)
      .deleteTrends(before: WallTime(microseconds: SessionFixture.wallStart + 86_400_000_000))
    #expect(try trends().points(of: nil, .week, last: Self.day.advanced(by: 1)).points.count == 1)
  }
}
