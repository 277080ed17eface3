import Sleep
import TachogramCore
import Testing

struct FiveMinuteHeuristicTests {
  private static let second = SleepAxis.ticksPerSecond

  /// A heart rate each 5 s: five minutes for each of the pairs of mean and swing.
  private static func heartRates(_ windows: [(mean: Double, swing: Double)]) -> [HeartRateSample] {
    windows.enumerated().flatMap { place, window in
      (0..<60).map { sample in
        HeartRateSample(
          time: (Int64(place) * 300 + Int64(sample) * 5) * second,
          beatsPerMinute: window.mean + (sample.isMultiple(of: 2) ? window.swing : -window.swing))
      }
    }
  }

  private static func movements(_ intensities: [Double]) -> [MovementSample] {
    intensities.enumerated().flatMap { place, intensity in
      (0..<10).map { MovementSample(time: (Int64(place) * 300 + Int64($0) * 30) * second, intensity: intensity) }
    }
  }

  private static func stages(
    _ windows: [(mean: Double, swing: Double)], movements: [MovementSample] = []
  ) throws -> [SleepStage] {
    let night = try SleepNight(
      epochCount: windows.count * 10, heartRates: heartRates(windows), movements: movements)
    let epochs = FiveMinuteHeuristic().epochs(of: night)
    #expect(epochs.allSatisfy { $0.probabilities.isEmpty && $0.coverage == 1 })
    // Of each window, all epochs alike.
    return try stride(from: 0, to: epochs.count, by: 10).map { start in
      let stage = try #require(epochs[start...].first).stage
      #expect(epochs[start..<start + 10].allSatisfy { $0.stage == stage })
      return stage
    }
  }

  @Test func testWindows_FollowTheRules() throws {
    // Two windows of each kind at least, so that smoothing changes none.
    let kinds: [(mean: Double, swing: Double, stage: SleepStage, count: Int)] = [
      (90, 8, .wake, 2), (57, 2, .light, 5), (52, 0.5, .deep, 5), (62, 4, .rem, 2), (56, 2, .light, 6),
      (62, 4, .rem, 2),
    ]
    let night = kinds.flatMap { kind in
      [(mean: Double, swing: Double)](repeating: (kind.mean, kind.swing), count: kind.count)
    }
    let expected = kinds.flatMap { [SleepStage](repeating: $0.stage, count: $0.count) }
    // The first windows like REM sleep lie 50 minutes after sleep onset: too early.
    let tooEarly = expected.enumerated().map { (12..<14).contains($0) ? SleepStage.light : $1 }
    #expect(try Self.stages(night) == tooEarly)
    let later = Array(night.prefix(2)) + Array(night[2..<4]) + Array(night.dropFirst(2))
    #expect(try Self.stages(later).suffix(20) == expected.suffix(20))
  }

  @Test func testMovement_IsWake() throws {
    let night: [(mean: Double, swing: Double)] = Array(repeating: (55, 2), count: 20)
    let movements = Self.movements((0..<20).map { $0 == 8 || $0 == 9 ? 100 : 1 })
    let stages = try Self.stages(night, movements: movements)
    #expect(stages.enumerated().allSatisfy { ($1 == .wake) == (8...9).contains($0) })
    #expect(try Self.stages(night).allSatisfy { $0 != .wake })
  }

  @Test func testLoneWindow_IsSmoothed() throws {
    let night: [(mean: Double, swing: Double)] = (0..<20).map { $0 == 8 ? (95, 2) : (55, 2) }
    #expect(try Self.stages(night).allSatisfy { $0 != .wake })
  }

  @Test func testMissingHeartRate_IsUnknown() throws {
    #expect(FiveMinuteHeuristic().epochs(of: try SleepNight(epochCount: 0)).isEmpty)
    let empty = FiveMinuteHeuristic().epochs(of: try SleepNight(epochCount: 25))
    #expect(empty.allSatisfy { $0.stage == .unknown && $0.coverage == 0 } && empty.count == 25)
    // The third window has heart rates in four of its epochs, and the fourth in five.
    let all = Self.heartRates(Array(repeating: (55, 2), count: 4))
    let some = all.filter { $0.time < 720 * Self.second || $0.time >= 1050 * Self.second }
    let epochs = FiveMinuteHeuristic().epochs(of: try SleepNight(epochCount: 40, heartRates: some))
    #expect(epochs.map { $0.stage == .unknown } == (0..<40).map { (20..<35).contains($0) })
  }

  /// One interval in each epoch says next to nothing.
  @Test func testSparseIntervals_AreUnknown() throws {
    let intervals = (1...600).map { NightInterval(end: Int64($0) * SleepAxis.ticksPerEpoch - 1, ticks: 920) }
    let night = try SleepNight(epochCount: 600, beats: NightBeats(normal: intervals, all: []))
    let epochs = FiveMinuteHeuristic().epochs(of: night)
    #expect(epochs.allSatisfy { $0.stage == .unknown && (0.02...0.04).contains($0.coverage) })
  }

  @Test func testIntervals_StandInForHeartRates() throws {
    let beats = try NightBeats(beatsAt: (0..<1900).map { 1000 * $0 + ($0 % 2) * 40 })
    let epochs = FiveMinuteHeuristic().epochs(of: try SleepNight(epochCount: 60, beats: beats))
    #expect(epochs.allSatisfy { $0.stage != .unknown && $0.stage != .wake })
  }
}
