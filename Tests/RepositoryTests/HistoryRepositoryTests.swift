import Repository
import StressKit
import TachogramCore
import Testing

@Suite("History")
struct HistoryRepositoryTests {
  private let database: TachogramDatabase
  private let history: HistoryRepository

  /// Seven sessions an hour apart, of Anna, Ben and nobody in turn; two begin at the same instant.
  init() throws {
    database = try .inMemory()
    history = HistoryRepository(database: database)
    let sessions = SessionRepository(database: database)
    for number in 0..<7 {
      let id = SessionFixture.identifier(number)
      let person = ["Anna", "Ben", nil][number % 3]
      let hour = number == 6 ? 5 : number
      try sessions.begin(SessionFixture.description(id: id, person: person, startSecond: Int64(hour) * 3600))
      try sessions.append(SessionFixture.batch(0..<4), to: id)
    }
  }

  private static let all = WallTime(microseconds: .min)...WallTime(microseconds: .max)

  private func pages(of person: String? = nil, in range: ClosedRange<WallTime> = all, limit: Int) throws -> [[Int]] {
    var pages: [[Int]] = []
    var place: HistoryRepository.Cursor?
    repeat {
      let page = try history.sessions(of: person, in: range, limit: limit, after: place)
      pages.append(
        page.sessions.map { Int($0.record.description.id.prefix(8), radix: 16) ?? -1 })
      place = page.next.flatMap { HistoryRepository.Cursor(text: $0.text) }
    } while place != nil
    return pages
  }

  @Test func testPages_HaveEachSessionOnce() throws {
    #expect(try pages(limit: 3) == [[6, 5, 4], [3, 2, 1], [0]])
    #expect(try pages(limit: 1).flatMap { $0 } == [6, 5, 4, 3, 2, 1, 0])
    #expect(try pages(limit: 7) == [[6, 5, 4, 3, 2, 1, 0]])
    #expect(try pages(of: "Anna", limit: 2) == [[6, 3], [0]])
    #expect(try pages(of: "Clara", limit: 2) == [[]])
  }

  @Test func testRange_IsOfTheStarts() throws {
    let hour = { (hour: Int64) in WallTime(microseconds: SessionFixture.wallStart + hour * 3_600_000_000) }
    #expect(try pages(in: hour(1)...hour(3), limit: 10) == [[3, 2, 1]])
  }

  @Test(arguments: ["", "1", "1.2.3", "x.1", "1.", ".1"])
  func testTextThatIsNoPlace_IsRefused(text: String) {
    #expect(HistoryRepository.Cursor(text: text) == nil)
  }

  @Test func testPersons_AreInOrder() throws {
    #expect(try history.persons() == ["Anna", "Ben"])
  }

  /// Of the windows of 300 s, or of 60 s where none of those gives a heart rate.
  @Test func testMeans_AreOfTheLongestWindows() throws {
    let (short, long) = (SessionFixture.identifier(1), SessionFixture.identifier(2))
    func values(_ heartRate: Double?, _ sdnn: Double?) -> HRVValues {
      var values = HRVValues()
      (values.meanHeartRate, values.sdnn) = (heartRate, sdnn)
      return values
    }
    var batch = SessionBatch()
    batch.windows = [
      SessionFixture.window(endSecond: 65, length: 60, values: values(60, nil)),
      SessionFixture.window(endSecond: 125, length: 60, values: values(64, 30)),
      SessionFixture.window(endSecond: 125, length: 300),
    ]
    try SessionRepository(database: database).append(batch, to: short)
    batch.windows[2] = SessionFixture.window(endSecond: 125, length: 300, values: values(70, 50))
    batch.stress = [
      SessionFixture.stress(second: 1, sessionID: long), SessionFixture.stress(second: 2, sessionID: long),
    ]
    batch.stress[1].stressLevel = 20.204_44
    try SessionRepository(database: database).append(batch, to: long)
    #expect(try history.session(short).means == SessionSummary.Means(meanHeartRate: 62, sdnn: 30))
    let means = try history.session(long).means
    #expect(means.meanHeartRate == 70 && means.sdnn == 50 && means.rmssd == nil)
    #expect(abs((means.stress ?? 0) - 30.204_44) < 1e-9)
    #expect(try history.session(SessionFixture.identifier(0)).means == SessionSummary.Means())
    #expect(throws: RepositoryError.sessionNotFound(prefix: "x")) { try history.session("x") }
    #expect(try history.windows(of: long, length: 60).count == 2)
    #expect(try history.windows(of: long, length: 120).isEmpty)
  }
}
