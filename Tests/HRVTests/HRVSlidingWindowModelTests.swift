import HRV
import TachogramCore
import Testing

/// The ring buffer against the model, beat by beat.
struct HRVSlidingWindowModelTests {
  private let start = MonotonicTime(microseconds: 5_000_000)

  /// Intervals of up to 64 s, so that even few of them meet the minimum durations, in windows that hold now all and now
  /// few of the beats.
  @Test(arguments: 1...12, [20, 90, 400])
  func testEveryCapacity_EqualsTheModelAtEveryBeat(capacity: Int, length: Int) {
    var reports: [String] = []
    for round in 0..<capacity {
      var window = HRVSlidingWindow(length: WindowLength(seconds: length), capacity: capacity)
      var model = WindowModel(length: length, capacity: capacity)
      let seed = UInt64(capacity * 10_000 + round * 100 + length)
      var beats = BeatGenerator(seed: seed, ticks: 0...65_535, gapEvery: 5, start: start)
      for number in 0..<80 {
        let beat = beats.next()
        window.append(beat.nn, at: beat.time, followsGap: beat.followsGap, isArtifact: beat.isArtifact)
        model.append(beat)
        let found = differences(window, model)
        if !found.isEmpty { reports.append("round \(round) beat \(number): \(found)") }
      }
    }
    #expect(reports.isEmpty)
  }

  @Test(arguments: [UInt64](1...4))
  func testShortIntervalsInAFullRing_EqualTheModelAtEveryBeat(seed: UInt64) {
    var window = HRVSlidingWindow(length: 60, capacity: 40)
    var model = WindowModel(length: 60, capacity: 40)
    var beats = BeatGenerator(seed: seed, ticks: 300...4000, gapEvery: 9, start: start)
    var reports: [String] = []
    for number in 0..<600 {
      let beat = beats.next()
      window.append(beat.nn, at: beat.time, followsGap: beat.followsGap, isArtifact: beat.isArtifact)
      model.append(beat)
      let found = differences(window, model)
      if !found.isEmpty { reports.append("beat \(number): \(found)") }
    }
    #expect(reports.isEmpty)
  }

  private func differences(_ window: HRVSlidingWindow, _ model: WindowModel) -> [String] {
    let snapshot = window.snapshot(sessionStart: start)
    var differences = MetricsComparison.differences(snapshot.metrics, model.metrics)
    if window.count != model.beats.count { differences.append("count") }
    if snapshot.length.seconds != model.length { differences.append("length") }
    if snapshot.end != model.beats.last?.time ?? start { differences.append("end") }
    if abs(snapshot.artifactShare - model.artifactShare) > 1e-15 { differences.append("artifact share") }
    // Beat times are whole microseconds, interval lengths are not.
    if abs(snapshot.coverage - model.coverage(sessionStart: start)) > 1e-6 { differences.append("coverage") }
    return differences
  }
}
