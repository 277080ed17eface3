import FoundationEssentials
import StressKit
import Testing

struct StressErrorTests {
  private let date = Date(timeIntervalSince1970: 1_760_000_000)

  private func error(
    hrv: Double = 40, heartRate: Double = 70, baselineHRV: Double = 50, resting: Double = 60, coverage: Double = 1,
    artifactShare: Double = 0,
  ) -> StressError? {
    let baseline = PersonalBaseline(
      restingHeartRate: resting, baselineHRV: baselineHRV, sampleCount: 30, isPersonal: true, lastUpdated: date,
    )
    let calculator = StressCalculator(baseline: baseline, now: { [date] in date })
    do throws(StressError) {
      _ = try calculator.stress(
        hrv: hrv, heartRate: heartRate, samples: 10, coverage: coverage, artifactShare: artifactShare, at: date,
      )
      return nil
    } catch {
      return error
    }
  }

  @Test func testSoundInput_IsNoError() {
    #expect(error() == nil)
  }

  @Test(arguments: [Double.infinity, -Double.infinity, -1, -Double.leastNonzeroMagnitude])
  func testImpossibleHRV_IsNamed(value: Double) {
    #expect(error(hrv: value) == .invalidHRV(value))
  }

  @Test(arguments: [Double.infinity, -Double.infinity, -1, 0, -0.0])
  func testImpossibleRates_AreNamed(value: Double) {
    #expect(error(heartRate: value) == .invalidHeartRate(value))
    #expect(error(baselineHRV: value) == .invalidBaselineHRV(value))
    #expect(error(resting: value) == .invalidRestingHeartRate(value))
  }

  @Test(arguments: [Double.infinity, -Double.infinity, -0.001, 1.001])
  func testImpossibleShares_AreNamed(value: Double) {
    #expect(error(coverage: value) == .invalidCoverage(value))
    #expect(error(artifactShare: value) == .invalidArtifactShare(value))
  }

  /// NaN equals nothing, so that the case is looked at.
  @Test func testNotANumber_IsNamed() throws {
    guard case .invalidHRV(let hrv) = error(hrv: .nan) else { return _ = Issue.record("hrv") }
    guard case .invalidHeartRate = error(heartRate: .nan) else { return _ = Issue.record("heart rate") }
    guard case .invalidBaselineHRV = error(baselineHRV: .nan) else { return _ = Issue.record("baseline") }
    guard case .invalidRestingHeartRate = error(resting: .nan) else { return _ = Issue.record("resting") }
    guard case .invalidCoverage = error(coverage: .nan) else { return _ = Issue.record("coverage") }
    guard case .invalidArtifactShare = error(artifactShare: .nan) else { return _ = Issue.record("artifacts") }
    #expect(hrv.isNaN)
  }

  @Test func testService_ThrowsTheSame() async throws {
    let calculator = StressCalculator(baseline: .default(lastUpdated: date), now: { [date] in date })
    await #expect(throws: StressError.invalidHRV(-1)) {
      try await calculator.calculateStress(hrv: -1, heartRate: 60)
    }
    await #expect(throws: StressError.invalidHeartRate(0)) {
      try await calculator.calculateStress(hrv: 50, heartRate: 0)
    }
  }

  @Test(
    arguments: [
      (.invalidHRV(-123), "HRV"), (.invalidHeartRate(-123), "heart rate"),
      (.invalidBaselineHRV(-123), "baseline's HRV"),
      (.invalidRestingHeartRate(-123), "resting heart rate"), (.invalidCoverage(-123), "coverage"),
      (.invalidArtifactShare(-123), "artifact share"),
    ] as [(StressError, String)])
  func testWording_NamesTheInputAndKeepsItsValue(error: StressError, name: String) {
    #expect(error.description.contains(name))
    #expect(!error.description.contains("123"))
  }
}
