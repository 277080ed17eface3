import HRV
import TachogramCore
import Testing

struct HRVSlidingWindowTests {
  private let origin = MonotonicTime(microseconds: 0)

  // MARK: - What is inside

  @Test func testBeatExactlyAtTheStart_IsOutside() {
    var window = HRVSlidingWindow(length: 60)
    append(to: &window, milliseconds: 1000, at: 0)
    append(to: &window, milliseconds: 1000, at: 59_999_999)
    #expect(window.count == 2)
    append(to: &window, milliseconds: 1000, at: 60_000_000)
    #expect(window.count == 2)
    #expect(window.snapshot(sessionStart: origin).metrics.pairCount == 1)
  }

  @Test func testLongSilence_LeavesOnlyTheNewBeat() {
    var window = HRVSlidingWindow(length: 60)
    for index in 1...50 { append(to: &window, milliseconds: 1000, at: Int64(index) * 1_000_000) }
    append(to: &window, milliseconds: 700, at: 500_000_000, followsGap: true)
    let snapshot = window.snapshot(sessionStart: origin)
    #expect(window.count == 1)
    #expect(snapshot.metrics.pairCount == 0)
    #expect(snapshot.metrics.duration == 700)
  }

  @Test func testGapAtTheOldestBeat_IsForgottenWithIt() {
    // Given two beats without a pair between them, and a third that pairs with the second
    var window = HRVSlidingWindow(length: 60, capacity: 2)
    append(to: &window, milliseconds: 800, at: 1_000_000)
    append(to: &window, milliseconds: 900, at: 2_000_000, followsGap: true)
    #expect(window.snapshot(sessionStart: origin).metrics.pairCount == 0)
    // When the first is dropped
    append(to: &window, milliseconds: 950, at: 3_000_000)
    // Then the pair of the other two is there, and goes when the second is dropped
    #expect(window.snapshot(sessionStart: origin).metrics.pairCount == 1)
    append(to: &window, milliseconds: 950, at: 4_000_000, followsGap: true)
    #expect(window.snapshot(sessionStart: origin).metrics.pairCount == 0)
  }

  @Test func testArtifacts_LeaveWithTheirBeats() {
    var window = HRVSlidingWindow(length: 10)
    for index in 1...10 {
      append(to: &window, milliseconds: 1000, at: Int64(index) * 1_000_000, isArtifact: index <= 3)
    }
    #expect(abs(window.snapshot(sessionStart: origin).artifactShare - 0.3) < 1e-12)
    append(to: &window, milliseconds: 1000, at: 11_000_000)
    append(to: &window, milliseconds: 1000, at: 12_000_000)
    #expect(abs(window.snapshot(sessionStart: origin).artifactShare - 0.1) < 1e-12)
  }

  // MARK: - Coverage

  @Test func testEmptyWindow_CoversNothing() {
    let start = MonotonicTime(microseconds: 42)
    let snapshot = HRVSlidingWindow(length: 60).snapshot(sessionStart: start)
    #expect(snapshot.end == start)
    #expect(snapshot.coverage == 0)
    #expect(snapshot.artifactShare == 0)
    #expect(snapshot.metrics == TimeDomainMetrics(count: 0, pairCount: 0, duration: 0, values: HRVValues()))
  }

  @Test func testUninterruptedBeats_CoverEverything() {
    var window = HRVSlidingWindow(length: 60)
    for index in 1...200 {
      append(to: &window, milliseconds: 700, at: Int64(index) * 700_000)
      #expect(abs(window.snapshot(sessionStart: origin).coverage - 1) < 1e-12)
    }
  }

  @Test func testOldestIntervalAcrossTheStart_CountsOnlyWithin() {
    var window = HRVSlidingWindow(length: 10)
    append(to: &window, milliseconds: 2000, at: 4_000_000)
    append(to: &window, milliseconds: 2000, at: 6_000_000)
    append(to: &window, milliseconds: 1000, at: 13_000_000, followsGap: true)
    // The window is 3 … 13 s: 1 s of the first interval, 2 s of the second, 1 s of the third.
    #expect(abs(window.snapshot(sessionStart: origin).coverage - 0.4) < 1e-12)
  }

  @Test func testYoungSession_IsMeasuredFromItsStart() {
    var window = HRVSlidingWindow(length: 300)
    append(to: &window, milliseconds: 1000, at: 1_000_000)
    append(to: &window, milliseconds: 1000, at: 4_000_000, followsGap: true)
    #expect(abs(window.snapshot(sessionStart: origin).coverage - 0.5) < 1e-12)
  }

  @Test func testIntervalsBeforeTheSessionStart_DoNotCount() {
    var window = HRVSlidingWindow(length: 300)
    for index in 1...4 { append(to: &window, milliseconds: 1000, at: Int64(index) * 1_000_000) }
    // The first two lie before it, and half of the third; what follows until 4 s is covered whole.
    let coverage = window.snapshot(sessionStart: MonotonicTime(microseconds: 2_500_000)).coverage
    #expect(abs(coverage - 1) < 1e-12)
    #expect(window.snapshot(sessionStart: MonotonicTime(microseconds: 4_000_000)).coverage == 0)
    #expect(window.snapshot(sessionStart: MonotonicTime(microseconds: 9_000_000)).coverage == 0)
  }

  @Test func testOverlappingIntervals_CoverNoMoreThanEverything() {
    var window = HRVSlidingWindow(length: 60)
    for index in 1...100 { append(to: &window, milliseconds: 1500, at: Int64(index) * 1_000_000) }
    #expect(window.snapshot(sessionStart: origin).coverage == 1)
  }

  // MARK: - Hostile values

  @Test(arguments: [UInt16(0), 1, 65_535], [1, 2, 7, 2048])
  func testExtremeIntervals_NeverTrap(ticks: UInt16, capacity: Int) {
    var window = HRVSlidingWindow(length: 300, capacity: capacity)
    let nn = NNInterval(RRInterval(ticks: ticks))
    var time = origin
    for _ in 0..<5000 {
      time = time.advanced(byMicroseconds: Int64(nn.milliseconds * 1000))
      window.append(nn, at: time, followsGap: false, isArtifact: true)
    }
    let snapshot = window.snapshot(sessionStart: origin)
    #expect(window.count <= capacity)
    #expect((0...1).contains(snapshot.coverage))
    #expect(snapshot.artifactShare == 1)
    #expect(snapshot.metrics.values.rmssd ?? 0 == 0)
  }

  @Test func testFullRing_DropsTheOldestAndShowsIt() {
    var window = HRVSlidingWindow(length: 60, capacity: 30)
    for index in 1...60 { append(to: &window, milliseconds: 1000, at: Int64(index) * 1_000_000) }
    let snapshot = window.snapshot(sessionStart: origin)
    #expect(window.count == 30)
    #expect(snapshot.metrics.duration == 30_000)
    #expect(abs(snapshot.coverage - 0.5) < 1e-12)
  }

  @Test func testExtremeTimes_NeverTrap() {
    var window = HRVSlidingWindow(length: 86_400, capacity: 4)
    for time in [Int64.min, .min, -1, 0, .max, .max, .min, 0, .max] {
      append(to: &window, milliseconds: .infinity, at: time)
      for start in [Int64.min, 0, .max] {
        let snapshot = window.snapshot(sessionStart: MonotonicTime(microseconds: start))
        #expect((0...1).contains(snapshot.coverage))
      }
    }
  }

  @Test func testCopy_IsIndependent() {
    var window = HRVSlidingWindow(length: 60)
    append(to: &window, milliseconds: 1000, at: 1_000_000)
    let copy = window
    append(to: &window, milliseconds: 1000, at: 2_000_000)
    #expect(copy.count == 1)
    #expect(window.count == 2)
  }

  private func append(
    to window: inout HRVSlidingWindow, milliseconds: Double, at microseconds: Int64, followsGap: Bool = false,
    isArtifact: Bool = false,
  ) {
    window.append(
      NNInterval(milliseconds: milliseconds), at: MonotonicTime(microseconds: microseconds), followsGap: followsGap,
      isArtifact: isArtifact,
    )
  }
}
