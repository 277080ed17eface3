import GATT
import Testing

/// The times of samples.
struct PolarSampleClockTests {
  @Test func testFirstFrame_HasTheNominalRate() throws {
    var clock = try #require(PolarSampleClock(rate: 25))
    #expect(clock.times(count: 3, last: 1_000_000_000) == [920_000_000, 960_000_000, 1_000_000_000])
  }

  /// 10 samples in 0.42 s: 42 ms each, while the nominal rate has 40 ms.
  @Test func testNextFrame_DividesTheTimeSinceTheLastSample() throws {
    var clock = try #require(PolarSampleClock(rate: 25))
    _ = clock.times(count: 5, last: 1_000_000_000)
    let times = clock.times(count: 10, last: 1_420_000_000)
    #expect(times == (1...10).map { 1_000_000_000 + 42_000_000 * $0 })
  }

  /// 23 076 923 ns in three parts: 7 692 307 ⅔ each.
  @Test func testTimes_AreRoundedEachByItself() throws {
    var clock = try #require(PolarSampleClock(rate: 130, previous: 100))
    #expect(clock.times(count: 3, last: 23_077_023) == [7_692_408, 15_384_715, 23_077_023])
  }

  @Test(arguments: [3_000_000_000, 1_100_000_000, 1_000_000_000, 900_000_000, 100_000_000_000] as [UInt64])
  func testAfterALostFrameOrAChangedClock_TheRateIsNominal(last: UInt64) throws {
    var clock = try #require(PolarSampleClock(rate: 25, previous: 1_000_000_000))
    #expect(clock.times(count: 10, last: last) == (0..<10).map { last - 40_000_000 * (9 - $0) })
    // The frame after it goes on from there.
    #expect(clock.times(count: 2, last: last + 90_000_000) == [last + 45_000_000, last + 90_000_000])
  }

  @Test func testBoundary_IsHalfThePeriod() throws {
    for (period, isMeasured) in [(20_000_000, true), (60_000_000, true), (19_000_000, false), (61_000_000, false)] {
      var clock = try #require(PolarSampleClock(rate: 25, previous: 1_000_000_000))
      let last = UInt64(1_000_000_000 + 10 * period)
      let step = UInt64(isMeasured ? period : 40_000_000)
      #expect(clock.times(count: 10, last: last).first == last - 9 * step, "\(period)")
    }
  }

  @Test func testFrameWithoutSamples_ChangesNothing() throws {
    var clock = try #require(PolarSampleClock(rate: 25, previous: 1_000_000_000))
    #expect(clock.times(count: 0, last: 1_040_000_000).isEmpty)
    #expect(clock.times(count: 2, last: 1_082_000_000) == [1_041_000_000, 1_082_000_000])
  }

  @Test func testExtremeTimes_DoNotTrap() throws {
    #expect(PolarSampleClock(rate: 0) == nil)
    var clock = try #require(PolarSampleClock(rate: 1))
    #expect(clock.times(count: 3, last: 1_500_000_000) == [0, 500_000_000, 1_500_000_000])
    for last in [0, 1, .max, .max - 1, 1 << 63, 0] as [UInt64] {
      let times = clock.times(count: 1300, last: last)
      #expect(times.count == 1300)
      #expect(times.last == last)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }

  @Test func testPulses_EndEachIntervalAfterTheOneBefore() {
    let samples = [800, 1000, 900].map { PolarPPISample(heartRate: 60, interval: $0, errorEstimate: 5) }
    let expected: [UInt64] = [8_100_000_000, 9_100_000_000, 10_000_000_000]
    #expect(PolarPPICodec.times(of: samples, last: 10_000_000_000) == expected)
    #expect(PolarPPICodec.times(of: samples, last: 1_900_000_000) == [0, 1_000_000_000, 1_900_000_000])
    #expect(PolarPPICodec.times(of: samples, last: 1_899_999_999) == nil)
    #expect(PolarPPICodec.times(of: samples, last: 0) == nil)
    #expect(PolarPPICodec.times(of: [], last: 5) == [])
  }
}
