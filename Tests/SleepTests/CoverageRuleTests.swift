import Sleep
import TachogramCore
import Testing

struct CoverageRuleTests {
  private static let classes: [SleepStage] = [.nrem, .rem, .wake]

  @Test(arguments: [
    // Enough data: the most probable class, however close.
    ([0.3, 0.36, 0.34], 0.5, 0.5, SleepStage.rem),
    ([0.1, 0.2, 0.7], 1, 1, .wake),
    ([0.4, 0.4, 0.2], 1, 1, .nrem),
    // Too few data of the epoch itself: sleep or wake, if it is clear.
    ([0.5, 0.3, 0.2], 0.49, 0.5, .asleep),
    ([0.45, 0.34, 0.21], 0.49, 0.5, .unknown),
    ([0.1, 0.1, 0.8], 0, 1, .wake),
    ([0.11, 0.1, 0.79], 0, 1, .unknown),
    // Too few data of the window.
    ([0.99, 0.01, 0], 1, 0.49, .unknown),
    ([], 1, 1, .unknown),
    ([.nan, 0.5, 0.5], 1, 1, .unknown),
  ])
  func testStage_DependsOnCoverage(probabilities: [Double], epoch: Double, window: Double, stage: SleepStage) {
    #expect(
      CoverageRule.stage(probabilities, of: Self.classes, epochCoverage: epoch, windowCoverage: window) == stage)
  }

  @Test func testWindows_CountWithinTheNightAlone() {
    let shares = CoverageRule.windowCoverage([1, 0, 0, 0.5, 1], lookback: 1, lookforward: 2)
    let expected = [0.5, 1.0 / 3, 0.5 / 3, 0.5, 0.75]
    #expect(zip(shares, expected).allSatisfy { abs($0 - $1) < 1e-12 } && shares.count == 5)
    #expect(CoverageRule.windowCoverage([], lookback: 8, lookforward: 9).isEmpty)
  }
}
