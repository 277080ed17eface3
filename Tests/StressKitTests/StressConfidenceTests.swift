import FoundationEssentials
import StressKit
import Testing

struct StressConfidenceTests {
  private let date = Date(timeIntervalSince1970: 1_760_000_000)

  private var calculator: StressCalculator {
    StressCalculator(baseline: .default(lastUpdated: date), now: { [date] in date })
  }

  @Test(
    arguments: [
      // The samples alone.
      (50, 60, 0, 0.7), (50, 60, 1, 0.73), (50, 60, 5, 0.85), (50, 60, 9, 0.97), (50, 60, 10, 1), (50, 60, 1000, 1),
      (50, 60, .max, 1), (50, 60, -1, 0.7), (50, 60, .min, 0.7),
      // A low HRV, and its edge.
      (19.999, 60, 10, 0.5), (20, 60, 10, 1), (0, 60, 10, 0.5),
      // An unusual heart rate, and its edges.
      (50, 39.999, 10, 0.6), (50, 40, 10, 1), (50, 180, 10, 1), (50, 180.001, 10, 0.6),
      // All together.
      (10, 200, 0, 0.21), (10, 200, 10, 0.3),
    ] as [(Double, Double, Int, Double)])
  func testReading_HasItsConfidence(hrv: Double, heartRate: Double, samples: Int, confidence: Double) {
    let value = calculator.calculateConfidence(hrv: hrv, heartRate: heartRate, samples: samples)
    #expect(abs(value - confidence) < 1e-12)
  }

  @Test(
    arguments: [
      (.nan, 60), (.infinity, 60), (-1, 60), (50, .nan), (50, .infinity), (50, 0), (50, -60),
    ] as [(Double, Double)])
  func testImpossibleReading_HasNoConfidence(hrv: Double, heartRate: Double) {
    #expect(calculator.calculateConfidence(hrv: hrv, heartRate: heartRate, samples: 10) == 0)
  }

  @Test(
    arguments: [
      (1, 0, 1), (0.5, 0, 0.5), (1, 0.25, 0.75), (0.8, 0.1, 0.72), (0, 0, 0), (1, 1, 0),
    ] as [(Double, Double, Double)])
  func testCoverageAndArtifacts_LowerIt(coverage: Double, artifactShare: Double, factor: Double) throws {
    let result = try calculator.stress(
      hrv: 10, heartRate: 60, samples: 5, coverage: coverage, artifactShare: artifactShare, at: date,
    )
    #expect(abs(result.confidence - 0.5 * 0.85 * factor) < 1e-12)
  }
}
