import FoundationEssentials
import StressKit
import Testing

struct StressCalculatorTests {
  private let date = Date(timeIntervalSince1970: 1_760_000_000)

  private func calculator(hrv: Double = 50, resting: Double = 60) -> StressCalculator {
    let baseline = PersonalBaseline(
      restingHeartRate: resting, baselineHRV: hrv, sampleCount: 30, isPersonal: true, lastUpdated: date,
    )
    return StressCalculator(baseline: baseline, now: { [date] in date })
  }

  private func level(hrv: Double, heartRate: Double) throws -> Double {
    try calculator().stress(
      hrv: hrv, heartRate: heartRate, samples: 10, coverage: 1, artifactShare: 0, at: date,
    ).level
  }

  // MARK: - The formula

  /// The published vectors, for a baseline of 50 ms and 60 bpm.
  @Test(
    arguments: [
      (50, 60, 0), (50, 100, 17.71003), (25, 60, 40.20444), (20, 90, 61.51779), (0, 60, 70), (50, 200, 25.96841),
    ] as [(Double, Double, Double)])
  func testPublishedVector_GivesItsLevel(hrv: Double, heartRate: Double, level: Double) async throws {
    #expect(abs(try self.level(hrv: hrv, heartRate: heartRate) - level) < 1e-5)
    #expect(abs(try await calculator().calculateStress(hrv: hrv, heartRate: heartRate).level - level) < 1e-5)
  }

  @Test(arguments: [(50, 60), (80, 60), (50, 40), (200, 30), (1e300, 1e-300)] as [(Double, Double)])
  func testBetterThanTheBaseline_IsNoStress(hrv: Double, heartRate: Double) throws {
    #expect(try level(hrv: hrv, heartRate: heartRate) == 0)
  }

  @Test func testMoreThanUsualOfOne_DoesNotOffsetTheOther() throws {
    #expect(abs(try level(hrv: 500, heartRate: 100) - 17.71003) < 1e-5)
    #expect(abs(try level(hrv: 25, heartRate: 30) - 40.20444) < 1e-5)
  }

  @Test(arguments: [1e-300, 0.5, 50, 1e300], [1e-300, 60, 1e300])
  func testExtremeBaseline_KeepsTheLevelInRange(hrv: Double, resting: Double) throws {
    for reading in [0, 1e-300, 50, 1e300] {
      for heartRate in [1e-300, 60, 1e300] {
        let result = try calculator(hrv: hrv, resting: resting).stress(
          hrv: reading, heartRate: heartRate, samples: 10, coverage: 1, artifactShare: 0, at: date,
        )
        #expect((0...100).contains(result.level))
      }
    }
  }

  @Test func testLevel_FallsWithHRVAndRisesWithHeartRate() throws {
    let hrvs = stride(from: 0.0, through: 120, by: 2.5).map { $0 }
    let heartRates = stride(from: 30.0, through: 220, by: 5).map { $0 }
    let levels = try hrvs.map { hrv in try heartRates.map { try level(hrv: hrv, heartRate: $0) } }
    for (row, values) in levels.enumerated() {
      for (column, value) in values.enumerated() {
        #expect((0...100).contains(value))
        if row > 0 { #expect(value <= levels[row - 1][column]) }
        if column > 0 { #expect(value >= values[column - 1]) }
        // Strictly, where the component is not at its floor.
        if row > 0, hrvs[row] <= 50 { #expect(value < levels[row - 1][column]) }
        if column > 0, heartRates[column] > 60 { #expect(value > values[column - 1]) }
      }
    }
  }

  // MARK: - The result

  @Test func testResult_CarriesItsInput() throws {
    let result = try calculator().stress(
      hrv: 20, heartRate: 90, samples: 10, coverage: 1, artifactShare: 0, at: date + 5,
    )
    #expect(result.hrv == 20)
    #expect(result.heartRate == 90)
    #expect(result.timestamp == date + 5)
    #expect(result.category == .moderate)
    #expect(result.mood == .worried)
  }

  @Test func testService_UsesItsClockAndCountsOneSample() async throws {
    let service: any StressAlgorithmServiceProtocol = calculator()
    let result = try await service.calculateStress(hrv: 25, heartRate: 60)
    let same = try calculator().stress(
      hrv: 25, heartRate: 60, samples: 1, coverage: 1, artifactShare: 0, at: date,
    )
    #expect(result == same)
    #expect(abs(result.confidence - 0.73) < 1e-12)
  }

  @Test(
    arguments: [
      (0, .relaxed, .sleeping), (9.999_999, .relaxed, .sleeping), (10, .relaxed, .calm), (24.999_999, .relaxed, .calm),
      (25, .mild, .concerned), (49.999_999, .mild, .concerned), (50, .moderate, .worried),
      (74.999_999, .moderate, .worried), (75, .high, .overwhelmed), (100, .high, .overwhelmed),
    ] as [(Double, StressCategory, StressBuddyMood)])
  func testLevelAtAnEdge_BelongsToTheUpperBand(level: Double, category: StressCategory, mood: StressBuddyMood) {
    #expect(StressCategory(level: level) == category)
    #expect(StressBuddyMood(level: level) == mood)
  }

  @Test(arguments: [(60, .relaxed), (35, .mild), (20, .moderate), (0, .high)] as [(Double, StressCategory)])
  func testResult_HasTheCategoryOfItsLevel(hrv: Double, category: StressCategory) throws {
    let result = try calculator().stress(
      hrv: hrv, heartRate: 90, samples: 10, coverage: 1, artifactShare: 0, at: date,
    )
    #expect(result.category == category)
    #expect(result.category == StressCategory(level: result.level))
  }
}
