import FoundationEssentials
import HRV
import TachogramCore
import TachogramTestKit
import Testing

struct HRVEngineTests {
  private let start = MonotonicTime(microseconds: 1_000_000_000)

  @Test(arguments: WindowLength.recorded)
  func testTwentyThousandBeatsWithGaps_EqualTheBatchAtEveryBeat(length: WindowLength) throws {
    // Given
    var engine = HRVEngine()
    var generator = BeatGenerator(seed: UInt64(length.seconds), start: start)
    var times: [Int64] = []
    var intervals: [Double] = []
    var breaks: [Int] = []
    var oldest = 0
    var reports: [String] = []
    for number in 0..<20_000 {
      // When
      let beat = generator.next()
      engine.append(
        TimedInterval(beat.nn, endingAt: beat.time, followsGap: beat.followsGap, isDoubtful: beat.isArtifact))
      times.append(beat.time.microseconds)
      intervals.append(beat.nn.milliseconds)
      if beat.followsGap { breaks.append(number) }
      // Then
      while times[oldest] <= beat.time.microseconds - length.microseconds { oldest += 1 }
      breaks.removeAll { $0 < oldest }
      let expected = HRVBatch.metrics(
        of: Array(intervals[oldest...]), breaksBefore: Set(breaks.map { $0 - oldest }),
      )
      let window = try #require(engine.snapshot(length: length, sessionStart: start))
      let found = MetricsComparison.differences(window.metrics, expected)
      if !found.isEmpty { reports.append("beat \(number): \(found)") }
    }
    #expect(reports.isEmpty)
  }

  /// A million beats; ten million, some thirteen weeks, with TACHOGRAM_LONG=1 in the environment. The sums of the whole
  /// then exceed 128 bits on the way to a deviation.
  @Test func testMillionsOfBeats_DoNotDrift() {
    let isLong = ProcessInfo.processInfo.environment["TACHOGRAM_LONG"] == "1"
    var window = HRVSlidingWindow(length: 300)
    var session = TimeDomainAccumulator()
    var generator = BeatGenerator(seed: 77, start: start)
    var previous: NNInterval?
    var recent: [SimulatedBeat] = []
    var all: [Double] = []
    var breaks: Set<Int> = []
    for number in 1...(isLong ? 10_000_000 : 1_000_000) {
      let beat = generator.next()
      window.append(beat.nn, at: beat.time, followsGap: beat.followsGap, isArtifact: beat.isArtifact)
      session.add(beat.nn, after: beat.followsGap ? nil : previous)
      previous = beat.nn
      if beat.followsGap { breaks.insert(all.count) }
      all.append(beat.nn.milliseconds)
      // The last thousand of each hundred thousand are more than the window holds.
      let phase = number % 100_000
      if phase > 99_000 || phase == 0 { recent.append(beat) }
      guard phase == 0 else { continue }
      let inside = recent.drop { $0.time.microseconds <= beat.time.microseconds - 300_000_000 }
      #expect(window.count == inside.count)
      #expect(inside.count < recent.count)
      #expect(MetricsComparison.differences(window.snapshot(sessionStart: start).metrics, batch(inside)).isEmpty)
      recent.removeAll(keepingCapacity: true)
    }
    let whole = HRVBatch.metrics(of: all, breaksBefore: breaks)
    #expect(MetricsComparison.differences(session.metrics(), whole).isEmpty)
  }

  @Test func testGap_BreaksTheSessionToo() {
    var engine = HRVEngine()
    for (index, followsGap) in [false, false, true, false].enumerated() {
      engine.append(
        TimedInterval(
          NNInterval(milliseconds: 1000), endingAt: MonotonicTime(microseconds: Int64(index + 1) * 1_000_000),
          followsGap: followsGap))
    }
    #expect(engine.session.count == 4)
    #expect(engine.session.pairCount == 2)
    #expect(engine.snapshot(sessionStart: start).map(\.metrics.pairCount) == [2, 2, 2])
  }

  @Test func testSnapshots_AreOfSixtyOneHundredTwentyAndThreeHundredSeconds() {
    let engine = HRVEngine()
    #expect(engine.snapshot(sessionStart: start).map(\.length) == [60, 120, 300])
    #expect(engine.snapshot(length: 120, sessionStart: start)?.length == 120)
    #expect(engine.snapshot(length: 90, sessionStart: start) == nil)
  }

  private func batch(_ beats: ArraySlice<SimulatedBeat>) -> TimeDomainMetrics {
    let breaks = beats.indices.filter { beats[$0].followsGap }.map { $0 - beats.startIndex }
    return HRVBatch.metrics(of: beats.map(\.nn.milliseconds), breaksBefore: Set(breaks))
  }
}
