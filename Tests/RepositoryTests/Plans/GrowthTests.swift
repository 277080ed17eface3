import FoundationEssentials
import Repository
import TachogramCore
import Testing

/// What is done again and again costs the same, however much is stored.
@Suite("Growth")
struct GrowthTests {
  private static let minute: Int64 = 60

  /// A session of so many minutes, with a 5-minute window at the end of each.
  private func store(_ minutes: Int64, from second: Int64 = 0, number: Int = 1, _ database: TachogramDatabase) throws {
    let id = SessionFixture.identifier(number)
    let sessions = SessionRepository(database: database)
    try sessions.begin(SessionFixture.description(id: id, startSecond: second))
    var batch = SessionBatch()
    var values = HRVValues()
    (values.meanHeartRate, values.sdnn, values.rmssd) = (60, 50, 40)
    for minute in 1...minutes {
      batch.windows.append(SessionFixture.window(endSecond: 5 + 60 * minute, length: 300, values: values))
    }
    try sessions.append(batch, to: id)
  }

  @Test func testBatchBehindALongSession_CostsAsMuchAsBehindAShortOne() throws {
    let lengths: [Int64] = [100, 4000]
    let steps = try lengths.map { minutes in
      let database = try TachogramDatabase.inMemory()
      try store(minutes, database)
      var batch = SessionBatch()
      for second in Int64(1)...20 {
        let time = minutes * Self.minute + second
        batch.windows.append(SessionFixture.window(endSecond: 5 + time, length: 300))
        batch.stress.append(SessionFixture.stress(second: Double(time)))
      }
      return try StepCount.of(database) {
        try SessionRepository(database: database).append(batch, to: SessionFixture.id)
      }
    }
    #expect(steps[1] < steps[0] * 3 / 2, "\(steps)")
  }

  /// Each day is a session of an hour.
  @Test func testTrendsOfManySessions_CostAsMuchADayAsThoseOfFew() throws {
    let days: [Int64] = [20, 200]
    let steps = try days.map { days in
      let database = try TachogramDatabase.inMemory()
      for day in 0..<days { try store(60, from: day * 86_400, number: Int(day) + 1, database) }
      return try StepCount.of(database) { try TrendRepository(database: database, timeZone: .gmt).refresh() }
    }
    let ratio = Double(steps[1]) / Double(days[1]) / (Double(steps[0]) / Double(days[0]))
    #expect(ratio < 1.2, "\(steps)")
  }

  @Test func testPassOverManyHours_IsMadeInSlices() throws {
    let database = try TachogramDatabase.inMemory()
    for day in Int64(0)..<120 { try store(600, from: day * 86_400, number: Int(day) + 1, database) }
    let trends = TrendRepository(database: database, timeZone: .gmt)
    var (first, second) = (trends.pass(), trends.pass())
    var slices = 0
    // Two at a time share the work.
    while true {
      let isMore = (try first.advance(), try second.advance())
      if !isMore.0, !isMore.1 { break }
      slices += 1
    }
    #expect(slices > 2 && slices < 8)
    let last = CivilDay(number: SessionFixture.wallStart / 86_400_000_000 + 119)
    let points = try trends.points(of: nil, .year, last: last).points
    #expect(points.map(\.minutes) == Array(repeating: 600, count: 120))
    var again = trends.pass()
    let isMore = try again.advance()
    #expect(!isMore)
  }
}
