import Sleep
import TachogramCore
import TachogramTestKit
import Testing

/// Nights of arbitrary beats, heart rates and movement: every estimator gives each epoch a stage, and no number is not finite.
struct RandomNightTests {
  private static func night(seed: UInt64) throws -> SleepNight {
    var random = SplitMix64(seed: seed)
    func below(_ bound: Int64) -> Int64 { Int64(random.next() % UInt64(bound)) }
    let count = Int(below(200))
    let end = Int64(count + 4) * SleepAxis.ticksPerEpoch
    var (time, times) = (below(60_000), [Int64]())
    // Regular beats, beats at the same time, impossible ones, and gaps of up to ten minutes.
    while time < end {
      times.append(time)
      switch below(40) {
      case 0: time += below(600 * 1024)
      case 1: time += below(300)
      case 2: time += below(4) == 0 ? 0 : 2048 + below(2000)
      default: time += 700 + below(500)
      }
    }
    var (rates, movements, place) = ([HeartRateSample](), [MovementSample](), below(90_000))
    while place < end {
      rates.append(HeartRateSample(time: place, beatsPerMinute: Double(below(250))))
      movements.append(MovementSample(time: place, intensity: random.unit() * 1e6))
      place += below(8) == 0 ? below(900 * 1024) : below(20 * 1024)
    }
    return try SleepNight(
      epochCount: count, beats: below(5) == 0 ? NightBeats() : NightBeats(beatsAt: times),
      heartRates: below(2) == 0 ? [] : rates, movements: below(2) == 0 ? [] : movements)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func testArbitraryNight_HasStagesAndFiniteNumbers(seed: UInt64) throws {
    let night = try Self.night(seed: seed)
    var estimators: [any SleepStagingProtocol] = [FiveMinuteHeuristic()]
    for model in SleepECGModel.allCases { estimators.append(try #require(SleepECGEstimator(model))) }
    for inputs in StageModel.Inputs.allCases {
      for isCausal in [false, true] {
        estimators.append(try #require(FourClassEstimator(inputs, isCausal: isCausal)))
      }
    }
    estimators.append(SleepWakeEstimator(try #require(FourClassEstimator(.movement, isCausal: false))))
    for estimator in estimators {
      let staged = StagedNight(night, by: estimator)
      #expect(staged.epochs.map(\.index) == Array(0..<night.epochCount))
      for epoch in staged.epochs {
        #expect((0...1).contains(epoch.coverage))
        #expect(epoch.probabilities.allSatisfy { (0...1).contains($0) })
        #expect((estimator.classes + [.asleep, .wake, .unknown]).contains(epoch.stage))
      }
      let metrics = try SleepMetrics(staged.stages)
      let numbers = [
        metrics.timeInBed, metrics.sleepPeriod, metrics.totalSleepTime, metrics.sleepEfficiency,
        metrics.sleepMaintenance,
        metrics.fragmentationIndex, metrics.wakeAfterSleepOnset, metrics.wakeWithinSleepPeriod,
        SleepQualityScore.score(metrics),
        Restlessness.percentage(staged.stages, movements: night.movements, threshold: 5e5),
      ]
      #expect(numbers.allSatisfy { $0?.isFinite ?? true })
      let sum = SleepStage.allCases.reduce(0) { $0 + metrics.minutes(of: $1) }
      #expect(sum == metrics.timeInBed)
    }
  }
}
