import Sleep
import TachogramCore
import TachogramTestKit
import Testing

struct SleepECGEstimatorTests {
  /// Returns beats of a resting heart with noise, until `seconds`, without those in `gaps`, in seconds.
  private static func beats(until seconds: Int, gaps: [Range<Int>] = [], seed: UInt64 = 3) throws -> NightBeats {
    var (random, time, times) = (SplitMix64(seed: seed), Int64(100), [Int64]())
    while time < Int64(seconds) * SleepAxis.ticksPerSecond {
      if !gaps.contains(where: { $0.contains(Int(time / SleepAxis.ticksPerSecond)) }) { times.append(time) }
      time += 900 + Int64(80 * random.unit())
    }
    return try NightBeats(beatsAt: times)
  }

  private static func epochs(
    _ model: SleepECGModel, _ beats: NightBeats, _ count: Int, _ sleeper: Sleeper = Sleeper()
  ) throws -> [SleepEpoch] {
    let estimator = try #require(SleepECGEstimator(model))
    let night = try SleepNight(epochCount: count, beats: beats, sleeper: sleeper)
    let epochs = estimator.epochs(of: night)
    #expect(epochs.map(\.index) == Array(0..<count))
    for epoch in epochs {
      #expect((0...1).contains(epoch.coverage))
      #expect(epoch.probabilities.isEmpty || epoch.probabilities.count == estimator.classes.count)
      #expect(epoch.probabilities.allSatisfy { (0...1).contains($0) })
      #expect(epoch.probabilities.isEmpty || abs(epoch.probabilities.reduce(0, +) - 1) < 1e-6)
      #expect((estimator.classes + [.asleep, .unknown]).contains(epoch.stage))
    }
    return epochs
  }

  @Test(arguments: SleepECGModel.allCases)
  func testCoveredNight_HasAStageEverywhere(model: SleepECGModel) throws {
    let epochs = try Self.epochs(model, Self.beats(until: 3600), 120)
    let classes = try #require(SleepECGEstimator(model)).classes
    for epoch in epochs {
      let largest = try #require(epoch.probabilities.max())
      #expect(epoch.stage == classes[try #require(epoch.probabilities.firstIndex(of: largest))])
    }
  }

  @Test(arguments: SleepECGModel.allCases)
  func testNoBeats_AreUnknown(model: SleepECGModel) throws {
    #expect(try Self.epochs(model, NightBeats(), 0).isEmpty)
    for count in [1, 50] {
      let epochs = try Self.epochs(model, NightBeats(), count)
      #expect(epochs.allSatisfy { $0.stage == .unknown && $0.probabilities.isEmpty && $0.coverage == 0 })
    }
    // Beats of which none follows another within 2 s.
    let gaps = try NightBeats(beatsAt: (0..<500).map { 3000 * $0 })
    #expect(try Self.epochs(model, gaps, 48).allSatisfy { $0.stage == .unknown })
  }

  @Test func testOneEpoch_HasAStage() throws {
    let epochs = try Self.epochs(.sleepWake, Self.beats(until: 30), 1)
    #expect(epochs[0].stage != .unknown && epochs[0].coverage > 0.9)
  }

  @Test func testADay_HasAStageEverywhere() throws {
    let epochs = try Self.epochs(.wakeNREMREM, Self.beats(until: 86_400), 2880)
    #expect(epochs.count == 2880 && epochs.allSatisfy { $0.stage != .unknown })
  }

  @Test func testLongGap_IsUnknownInTheMiddle() throws {
    // Epochs 40 to 79 have no beats.
    let beats = try Self.beats(until: 3600, gaps: [1200..<2400])
    for (model, window) in [(SleepECGModel.sleepWake, SleepECGWindow.sleepWake), (.wakeNREMREM, .wakeNREMREM)] {
      let epochs = try Self.epochs(model, beats, 120)
      #expect(epochs[0..<39].allSatisfy { $0.stage != .unknown })
      #expect(epochs[81..<120].allSatisfy { $0.stage != .unknown })
      let blind = (40 + window.lookback)..<(80 - window.lookforward)
      #expect(epochs[blind].allSatisfy { $0.stage == .unknown && $0.probabilities.isEmpty })
      // Near the ends of the gap, at most sleep or wake.
      #expect(epochs[41..<79].allSatisfy { [.asleep, .wake, .unknown].contains($0.stage) })
    }
  }

  @Test func testStartAfterMidnight_IsLaterThanOneBefore() throws {
    let beats = try Self.beats(until: 1800)
    func probabilities(_ start: Int?) throws -> [[Double]] {
      try Self.epochs(.wakeNREMREM, beats, 60, Sleeper(startSecondOfDay: start)).map(\.probabilities)
    }
    func distance(_ one: [[Double]], _ other: [[Double]]) -> Double {
      zip(one, other).reduce(0) { sum, rows in sum + zip(rows.0, rows.1).reduce(0) { $0 + abs($1.0 - $1.1) } }
    }
    let (before, after) = (try probabilities(86_399), try probabilities(1))
    #expect(distance(before, after) < 0.01)
    #expect(distance(before, try probabilities(nil)) > 0.01)
  }

  @Test func testEstimators_HaveNamesAndClasses() throws {
    let estimators = try SleepECGModel.allCases.map { try #require(SleepECGEstimator($0)) }
    #expect(
      estimators.map(\.name) == ["sleepecg-ws-gru-mesa", "sleepecg-wrn-gru-mesa", "sleepecg-wrn-gru-mesa-weighted"])
    #expect(estimators.map(\.classes) == [[.asleep, .wake], [.nrem, .rem, .wake], [.nrem, .rem, .wake]])
    #expect(estimators.allSatisfy { !$0.isCausal })
  }
}
