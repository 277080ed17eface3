import FoundationEssentials
import Repository
import Stress
import TachogramCore
import Testing

@testable import Recording

@Suite("Morning readings in readiness")
struct GuidedMorningsTests {
  private static let day: Int64 = 86_400_000_000
  /// 2026-03-29T05:00:00Z.
  private static let morning = WallTime(microseconds: 1_774_760_400_000_000)

  private func reading(daysAgo: Int64, rmssd: Double?, hours: Int64 = 0) -> HRVReading {
    HRVReading(
      id: "0000000\(daysAgo)-aaaa-8bbb-9ccc-ddddeeeeff0\(hours)", kind: .morning, person: nil, session: nil,
      start: Self.morning.advanced(byMicroseconds: -daysAgo * Self.day + hours * 3_600_000_000),
      duration: .seconds(60), coverage: 1, artifactShare: 0, count: 60, rmssd: rmssd)
  }

  private func window(daysAgo: Int64, _ value: Double) -> MorningReading {
    MorningReading(timestamp: Self.morning.advanced(byMicroseconds: -daysAgo * Self.day).date, lnRMSSD: value)
  }

  @Test func testReading_StandsInThePlaceOfItsDaysWindow() {
    let merged = GuidedMornings.merged(
      [window(daysAgo: 0, 3), window(daysAgo: 1, 3.5), window(daysAgo: 2, 4)],
      with: [
        reading(daysAgo: 1, rmssd: 20), reading(daysAgo: 1, rmssd: 40, hours: 1), reading(daysAgo: 2, rmssd: nil),
        reading(daysAgo: 0, rmssd: 50, hours: 2),
      ], until: Self.morning.advanced(by: .seconds(3_600)), timeZone: .gmt)
    let values = merged.sorted { $0.timestamp < $1.timestamp }.map(\.lnRMSSD)
    // The last reading of yesterday; none without a value, and none of later than now.
    #expect(values.count == 3)
    #expect(abs(values[1] - 3.688_879_454) < 1e-9 && values[0] == 4 && values[2] == 3)
  }

  @Test func testReadings_MakeReadiness() throws {
    let database = try TachogramDatabase.inMemory()
    try ReadingRepository(database: database).add(
      (0..<20).map {
        HRVReading(
          id: "000000\($0 + 10)-aaaa-8bbb-9ccc-ddddeeeeffff", kind: .morning, person: nil, session: nil,
          start: Self.morning.advanced(byMicroseconds: -Int64($0) * Self.day), duration: .seconds(60), coverage: 1,
          artifactShare: 0, count: 60, rmssd: $0 < 7 ? 30 : 50)
      })
    let question = PersonBaselines.Question(
      person: nil, day: LocalTime(of: Self.morning.date, in: .gmt).day,
      instant: Self.morning.advanced(by: .seconds(3_600)), timeZone: .gmt)
    let readiness = try PersonBaselines(question, from: database).readiness
    #expect(readiness.count == 20 && readiness.weekCount == 7 && readiness.level == .below)
  }
}
