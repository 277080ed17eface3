import Sleep
import TachogramCore
import Testing

struct SleepAnalysisServiceTests {
  /// An estimator that knows the first epochs of a night.
  private struct Partial: SleepStagingProtocol {
    let name: String
    let known: Int
    let isCausal = true
    let classes: [SleepStage] = [.asleep, .wake]

    func epochs(of night: SleepNight) -> [SleepEpoch] {
      (0..<night.epochCount).map { SleepEpoch(index: $0, stage: $0 < known ? .asleep : .unknown, coverage: 1) }
    }
  }

  private func chosen(_ known: [Int], fallback: Int) throws -> String {
    let service = SleepAnalysisService(
      estimators: known.enumerated().map { Partial(name: "\($0)", known: $1) },
      fallback: Partial(name: "fallback", known: fallback))
    let staged = service.estimateSleepStages(of: try SleepNight(epochCount: 10))
    #expect(staged.isCausal && staged.classes == [.asleep, .wake] && staged.epochs.count == 10)
    return staged.estimator
  }

  @Test(arguments: [
    ([5, 10], 10, "0"), ([4, 5], 10, "1"), ([4, 4], 5, "fallback"), ([4, 4], 4, "0"), ([2, 4], 3, "1"),
    ([], 0, "fallback"),
    ([0, 0], 0, "fallback"),
  ])
  func testFirstThatKnowsHalf_IsUsed(known: [Int], fallback: Int, name: String) throws {
    #expect(try chosen(known, fallback: fallback) == name)
  }

  @Test func testNightWithoutEpochs_HasNoStages() throws {
    let staged = SleepAnalysisService(estimators: []).estimateSleepStages(of: try SleepNight(epochCount: 0))
    #expect(staged.stages.isEmpty && staged.knownShare == 0 && staged.estimator == "five-minute-heuristic")
  }

  @Test func testHeartRatesAlone_UseTheHeuristic() throws {
    let estimators = try [SleepECGModel.wakeNREMREM, .sleepWake].map { try #require(SleepECGEstimator($0)) }
    let rates = (0..<600).map { HeartRateSample(time: Int64($0) * 5120, beatsPerMinute: 55 + Double($0 % 7)) }
    let service = SleepAnalysisService(estimators: estimators)
    let staged = service.estimateSleepStages(of: try SleepNight(epochCount: 100, heartRates: rates))
    #expect(staged.estimator == "five-minute-heuristic" && staged.knownShare == 1)
    let beats = try NightBeats(beatsAt: (0..<3000).map { 1000 * $0 + ($0 % 5) * 20 })
    let known = service.estimateSleepStages(of: try SleepNight(epochCount: 90, beats: beats, heartRates: rates))
    #expect(known.estimator == "sleepecg-wrn-gru-mesa" && known.knownShare == 1)
  }
}
