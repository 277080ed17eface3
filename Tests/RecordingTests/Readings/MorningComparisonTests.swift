import FoundationEssentials
import Recording
import TachogramCore
import Testing

@Suite("Morning readings among others")
struct MorningComparisonTests {
  private static let day: Int64 = 86_400_000_000
  /// 2026-03-29T05:00:00Z.
  private static let morning: Int64 = 1_774_760_400_000_000
  private let timeZone = TimeZone(identifier: "Europe/Berlin") ?? .gmt

  private func reading(daysAgo: Int64, rmssd: Double?, hours: Int64 = 0) -> HRVReading {
    HRVReading(
      id: "\(daysAgo)-\(hours)", kind: .morning, person: nil, session: nil,
      start: WallTime(microseconds: Self.morning - daysAgo * Self.day + hours * 3_600_000_000), duration: .seconds(60),
      coverage: 1, artifactShare: 0, count: 60, rmssd: rmssd)
  }

  private func comparison(_ rmssd: Double?, among others: [HRVReading]) -> MorningComparison {
    MorningComparison(reading(daysAgo: 0, rmssd: rmssd), among: others, timeZone: timeZone)
  }

  @Test(arguments: [
    (29.9, MorningComparison.Verdict.below), (30, .within), (45, .within), (50, .within), (50.1, .above),
  ])
  func testPlace_IsThatAmongTheQuartiles(rmssd: Double, verdict: MorningComparison.Verdict) throws {
    // The quartiles of 20, 25 … 60 are 30, 40 and 50.
    let others = (0..<9).map { reading(daysAgo: Int64($0 + 1), rmssd: 20 + 5 * Double($0)) }
    let found = comparison(rmssd, among: others)
    let range = try #require(found.range)
    #expect([range.lower, range.median, range.upper] == [30, 40, 50])
    #expect(found.count == 9 && found.verdict == verdict)
  }

  @Test func testTooFewMornings_HaveNoRange() {
    let others = (1...6).map { reading(daysAgo: $0, rmssd: 40) }
    #expect(comparison(40, among: others).verdict == nil)
    #expect(comparison(40, among: others).count == 6)
    // The same day, later days, days long ago, and mornings without a value.
    let more = [
      reading(daysAgo: 0, rmssd: 40, hours: 1), reading(daysAgo: -1, rmssd: 40), reading(daysAgo: 61, rmssd: 40),
      reading(daysAgo: 7, rmssd: nil),
    ]
    #expect(comparison(40, among: others + more).count == 6)
    #expect(comparison(40, among: others + [reading(daysAgo: 60, rmssd: 40)]).count == 7)
    #expect(comparison(nil, among: others + [reading(daysAgo: 60, rmssd: 40)]).verdict == nil)
  }

  @Test func testLastReadingOfADay_Counts() throws {
    let others = (1...7).flatMap { [reading(daysAgo: $0, rmssd: 60, hours: 2), reading(daysAgo: $0, rmssd: 10)] }
    let range = try #require(comparison(40, among: others).range)
    #expect(range.median == 60)
  }

  /// 22:30 UTC is half past midnight in Berlin.
  @Test func testDays_AreThoseOfTheTimeZone() {
    let others = (1...7).map { reading(daysAgo: $0, rmssd: 40, hours: -6) }
    #expect(comparison(40, among: others).count == 7)
    let late = reading(daysAgo: 1, rmssd: 40, hours: 18)
    #expect(comparison(40, among: [late]).count == 0)
    #expect(MorningComparison(reading(daysAgo: 0, rmssd: 40), among: [late], timeZone: .gmt).count == 1)
  }
}
