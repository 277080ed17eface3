import IntervalFiles
import TachogramTestKit
import Testing

/// Times beside intervals that cannot be those of the intervals.
struct RRTextTimesTests {
  private func read(_ times: [Double], _ intervals: [Int]) throws -> RRSeries {
    let text = zip(times, intervals).map { "\($0),\($1)\n" }.joined()
    return try MemoryFile.withPath(Array(("Time,RR\n" + text).utf8)) { try RRSeriesReader(path: $0).read() }
  }

  private static func intervals(_ count: Int, seed: UInt64 = 1) -> [Int] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in Int.random(in: 700...1000, using: &random) }
  }

  /// When each interval ends, in s.
  private static func ends(_ intervals: [Int], from start: Double = 0) -> [Double] {
    var time = start * 1000
    return intervals.map { interval in
      time += Double(interval)
      return time / 1000
    }
  }

  private func unusable(_ series: RRSeries) -> [Int] {
    series.intervals.indices.filter { series.intervals[$0].hasUnusableTime }
  }

  private func breaks(_ series: RRSeries) -> [Int] {
    series.intervals.indices.filter { series.intervals[$0].gap != nil }
  }

  private func expectUnused(_ series: RRSeries, _ place: SourceLocation = #_sourceLocation) {
    #expect(series.dialect?.hasTimes == false, sourceLocation: place)
    #expect(series.dialect?.timesRefusal != nil, sourceLocation: place)
    #expect(series.timesNote?.hasPrefix("the times are not used: ") == true, sourceLocation: place)
    #expect(unusable(series).isEmpty && breaks(series).isEmpty, sourceLocation: place)
  }

  private func expectUsed(_ series: RRSeries, _ place: SourceLocation = #_sourceLocation) {
    #expect(series.dialect?.hasTimes == true, sourceLocation: place)
    #expect(series.dialect?.timesRefusal == nil, sourceLocation: place)
  }

  // MARK: - The column as a whole

  @Test(arguments: [2, 10, 400])
  func testTimesThatAreTheSame_AreNotUsed(count: Int) throws {
    let series = try read(Array(repeating: 5, count: count), Self.intervals(count))
    expectUnused(series)
    #expect(series.dialect?.timesRefusal == .constant)
    #expect(series.intervals.count == count)
  }

  @Test(arguments: [1.0, 1000, 0.001])
  func testTimesThatRunBackwards_AreNotUsed(scale: Double) throws {
    let intervals = Self.intervals(200)
    let series = try read(Self.ends(intervals).map { (1000 - $0) * scale }, intervals)
    expectUnused(series)
    #expect(series.dialect?.timesRefusal == .backwards)
    expectUnused(try read((0..<200).map { 400 - Double($0) }, intervals))
  }

  /// Minutes, hours, days, samples at 128 Hz: whatever they are, no time passes slower than the intervals.
  @Test(arguments: [1.0 / 60, 1.0 / 3600, 1.0 / 86_400, 128, 0.5])
  func testTimesThatPassTooSlowly_AreNotUsed(scale: Double) throws {
    let intervals = Self.intervals(200)
    expectUnused(try read(Self.ends(intervals).map { $0 * scale }, intervals))
  }

  @Test func testTimesInAnyOrder_AreNotUsed() throws {
    var random = SplitMix64(seed: 3)
    let intervals = Self.intervals(300)
    expectUnused(try read(Self.ends(intervals).shuffled(using: &random), intervals))
  }

  /// The clock stops, or turns, in the middle.
  @Test func testTimesOfWhichHalfCannotBe_AreNotUsed() throws {
    let intervals = Self.intervals(400)
    let ends = Self.ends(intervals)
    for stop in [100, 200, 280] { expectUnused(try read(ends.map { min($0, ends[stop]) }, intervals)) }
    expectUnused(try read(ends.map { $0 < ends[200] ? $0 : 2 * ends[200] - $0 }, intervals))
    expectUnused(try read(ends.map { ($0 / 60).rounded(.down) * 60 }, intervals))
  }

  /// Two lines of each pair are swapped.
  @Test func testTimesThatGoBackInEverySecondRow_AreNotUsed() throws {
    let intervals = Self.intervals(400)
    var ends = Self.ends(intervals)
    for place in stride(from: 0, to: 400, by: 2) { ends.swapAt(place, place + 1) }
    let series = try read(ends, intervals)
    expectUnused(series)
    #expect(series.dialect?.timesRefusal == .unsteady(count: 200, of: 400, unreadable: 0))
  }

  /// Numbers that grow by one may count rows; the moments of a clock do not.
  @Test(arguments: ["", "Time RR\n"])
  func testMomentsASecondApart_AreTimes(heading: String) throws {
    var random = SplitMix64(seed: 1)
    let rows = (0..<600).map { place in
      let second = (86_300 + place) % 86_400
      let moment = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
      return "\(moment.joined(separator: ":")) \(Int.random(in: 980...1020, using: &random))\n"
    }
    let series = try MemoryFile.withPath(Array((heading + rows.joined()).utf8)) { try RRSeriesReader(path: $0).read() }
    expectUsed(series)
    #expect(breaks(series).isEmpty)
  }

  // MARK: - Single times

  @Test(arguments: [-5000.0, -60, -20, 20, 60, 1e9, 1e300])
  func testSingleWrongTimes_AreMarkedAndNothingElse(off: Double) throws {
    let intervals = Self.intervals(400)
    var ends = Self.ends(intervals, from: 10_000)
    let wrong = [0, 50, 51, 200, 399]
    for place in wrong where place != 399 || off < 0 || off > 1e6 { ends[place] += off }
    let series = try read(ends, intervals)
    expectUsed(series)
    // The first time may be followed by a gap, and the last one preceded by one.
    let expected = wrong.filter { ($0 != 0 || off > 0) && ($0 != 399 || off < 0 || off > 1e6) }
    #expect(unusable(series) == expected)
    #expect(breaks(series) == (off < 0 ? [1] : []))
    #expect(series.dialect?.unusableTimes == expected.count)
    #expect(series.timesNote?.contains("\(expected.count) of 400") == true)
  }

  @Test(arguments: [-3600.0, -31, 1e9])
  func testClockThatWasSet_IsABreak(off: Double) throws {
    let intervals = Self.intervals(400)
    let ends = Self.ends(intervals, from: 10_000).enumerated().map { $0 < 150 ? $1 : $1 + off }
    let series = try read(ends, intervals)
    expectUsed(series)
    #expect(unusable(series) == [150])
    #expect(breaks(series) == [150])
    #expect(series.intervals[150].gap == 0)
  }

  @Test(arguments: [1.0, 1000])
  func testMidnight_IsNothing(scale: Double) throws {
    let intervals = Self.intervals(400)
    let ends = Self.ends(intervals, from: 86_200).map { $0.truncatingRemainder(dividingBy: 86_400) * scale }
    let series = try read(ends, intervals)
    expectUsed(series)
    #expect(unusable(series).isEmpty && breaks(series).isEmpty)
    #expect(series.timesNote == nil)
  }

  @Test func testRepeatedRows_AreMarkedOnce() throws {
    let intervals = Self.intervals(300)
    let ends = Self.ends(intervals)
    for (from, count, at) in [(50, 40, 90), (10, 30, 200), (100, 5, 300)] {
      let (block, times) = (intervals[from..<(from + count)], ends[from..<(from + count)])
      let series = try read(
        Array(ends[..<at] + times + ends[at...]), Array(intervals[..<at] + block + intervals[at...]))
      expectUsed(series)
      #expect(unusable(series) == Array(at..<(at + count)))
      #expect(breaks(series) == (at == 300 ? [at] : [at, at + count]))
    }
  }

  @Test func testTwoPacketsOfTheSameIntervals_AreNotRepeated() throws {
    let intervals = Array(repeating: 800, count: 300)
    let series = try read(Self.ends(intervals).map { $0.rounded(.up) }, intervals)
    expectUsed(series)
    #expect(unusable(series).isEmpty && breaks(series).isEmpty)
  }

  /// Packets of many intervals, late ones, and drift in either direction are no wrong times; a gap among them is found.
  @Test(arguments: 0..<6 as Range<UInt64>)
  func testTimesOfLatePackets_AreUsed(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let intervals = Self.intervals(1500, seed: seed)
    let drift = 1 + Double.random(in: -3e-4...3e-4, using: &random)
    let packet = Double.random(in: 1...3, using: &random)
    var late = 0.0
    let times = Self.ends(intervals).enumerated().map { place, end in
      if place % 100 == 0 { late = Double.random(in: 0...4, using: &random) }
      late = max(0, late - 0.9)
      return (((end * drift + late) / packet).rounded(.up)) * packet + (place >= 700 ? 120 : 0)
    }
    let series = try read(times, intervals)
    expectUsed(series)
    #expect(unusable(series).isEmpty)
    #expect(breaks(series).count == 1 && breaks(series).allSatisfy { abs($0 - 700) < 9 })
  }
}
