import Foundation
import StressKit
import Testing

struct ImpliedBaselineTests {
  private static func level(_ baseline: Double, _ hrv: Double, _ rate: Double, _ resting: Double) throws -> Double {
    let date = Date(timeIntervalSince1970: 0)
    let calculator = StressCalculator(
      baseline: PersonalBaseline(
        restingHeartRate: resting, baselineHRV: baseline, sampleCount: 30, isPersonal: true, lastUpdated: date),
      now: { date })
    return try calculator.stress(
      hrv: hrv, heartRate: rate, samples: 300, coverage: 1, artifactShare: 0, at: date
    ).level
  }

  @Test(arguments: [20.0, 50, 120], [1.0, 19.9, 49, 80, 300])
  func testBaselineOfALevel_IsTheOneItWasComputedAgainst(baseline: Double, hrv: Double) throws {
    for (rate, resting) in [(48.0, 60.0), (60, 60), (75, 60), (180, 50)] {
      let level = try Self.level(baseline, hrv, rate, resting)
      let range = try #require(
        ImpliedBaseline.baselineHRV(level: level, hrv: hrv, heartRate: rate, restingHeartRate: resting))
      #expect(range.contains(baseline), "\(range)")
      // Where the HRV takes part, it is the only one.
      if hrv < baseline { #expect(range.upperBound - range.lowerBound < 1e-3 * baseline) }
    }
  }

  /// 99.9 for a heart rate that is hardly above the resting one.
  @Test(arguments: [
    (99.9, 33.6, 62.0, 60.0), (0, 33.6, 90, 60), (70.0, 33.6, 60, 60), (50, 0, 60, 60), (.nan, 33.6, 60, 60),
    (20, 33.6, 0, 60),
  ])
  func testLevelThatNoBaselineGives_HasNone(level: Double, hrv: Double, rate: Double, resting: Double) {
    #expect(
      ImpliedBaseline.baselineHRV(level: level, hrv: hrv, heartRate: rate, restingHeartRate: resting) == nil)
  }

  @Test func testNoVariabilityAtAll_SaysNothingOfTheBaseline() throws {
    let level = try Self.level(50, 0, 75, 60)
    let range = try #require(
      ImpliedBaseline.baselineHRV(level: level, hrv: 0, heartRate: 75, restingHeartRate: 60))
    #expect(range.contains(20) && range.contains(200))
  }
}
