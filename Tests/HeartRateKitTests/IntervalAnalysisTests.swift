import Foundation
import HeartRateKit
import Testing

struct IntervalAnalysisTests {
  /// Ten minutes of 60 bpm that breathe, in ms.
  private static let intervals = (0..<600).map { place -> Double in
    let breathing: Double = 40 * sin(2 * .pi * Double(place) / 4.5)
    return 1000 + breathing + Double(place * 7 % 11)
  }

  /// By the definitions, one pass each.
  private static func deviation(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)).squareRoot()
  }

  private static func rmssd(_ values: [Double]) -> Double {
    let squares = zip(values, values.dropFirst()).map { ($1 - $0) * ($1 - $0) }
    return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
  }

  private static func isClose(_ value: Double?, _ expected: Double) -> Bool {
    value.map { abs($0 - expected) < 1e-6 * expected } ?? false
  }

  @Test func testMetrics_AreThoseOfTheDefinitions() {
    let result = IntervalAnalysis(Self.intervals).result()
    #expect(result.intervalCount == 600)
    #expect(result.artifactShare == 0)
    #expect(result.coverage == 1)
    #expect(Self.isClose(result.seconds, Self.intervals.reduce(0, +) / 1000))
    #expect(Self.isClose(result[.sdnn], Self.deviation(Self.intervals)))
    #expect(Self.isClose(result[.rmssd], Self.rmssd(Self.intervals)))
    #expect(Self.isClose(result.uncorrected(.sdnn), Self.deviation(Self.intervals)))
    #expect(result.absence(of: .sdnn) == nil)
  }

  @Test func testEachMetric_HasAValueOrAReason() {
    for count in [0, 1, 20, 600] {
      let result = IntervalAnalysis(Self.intervals.prefix(count)).result()
      for metric in HRVResult.Metric.allCases {
        #expect((result[metric] == nil) == (result.absence(of: metric) != nil), "\(metric) of \(count)")
      }
    }
    #expect(IntervalAnalysis().result().absence(of: .rmssd) == .noIntervals)
  }

  @Test func testGap_IsNoInterval() {
    var analysis = IntervalAnalysis(Self.intervals.prefix(300))
    analysis.appendGap(60_000)
    for interval in Self.intervals.suffix(300) { analysis.append(interval) }
    let result = analysis.result()
    #expect(result.intervalCount == 600)
    #expect(Self.isClose(result.seconds, Self.intervals.reduce(0, +) / 1000 + 60))
    #expect(result.coverage < 0.95)
  }

  @Test(arguments: [0, -5, .nan, .infinity, 1e9] as [Double])
  func testValueThatIsNoInterval_IsAnArtifact(value: Double) {
    var analysis = IntervalAnalysis(Self.intervals)
    for _ in 0..<6 { analysis.append(value) }
    let result = analysis.result()
    #expect(result.intervalCount == 600)
    #expect(abs(result.artifactShare - 6 / 606) < 1e-9)
  }

  @Test func testIntervalsAtRandom_AreRefusedByName() {
    var state: UInt64 = 7
    let values = (0..<600).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return 500 + 600 * Double(state >> 11) / Double(1 << 53)
    }
    let result = IntervalAnalysis(values).result()
    #expect(result[.rmssd] == nil)
    guard case .irregularRhythm = result.absence(of: .rmssd) else {
      Issue.record("\(String(describing: result.absence(of: .rmssd)))")
      return
    }
    #expect(result[.meanNN] != nil)
  }

  // MARK: - Rolling

  @Test func testRollingWindow_IsItsLastSeconds() {
    var rolling = RollingHRV(seconds: 60)
    for interval in Self.intervals { rolling.append(interval) }
    // The intervals that end within the last minute.
    var (last, sum) = ([Double](), 0.0)
    for interval in Self.intervals.reversed() {
      if sum >= 60_000 { break }
      last.append(interval)
      sum += interval
    }
    #expect(Self.isClose(rolling[.sdnn], Self.deviation(last)))
    #expect(Self.isClose(rolling[.rmssd], Self.rmssd(last)))
    #expect(rolling[.lf] == nil)
  }

  @Test func testRollingWindow_ComputesNothingOverAGap() {
    var rolling = RollingHRV(seconds: 120)
    for _ in 0..<40 { rolling.append(1000) }
    rolling.append(0)
    for _ in 0..<40 { rolling.append(800) }
    #expect(rolling[.rmssd] == 0)
    #expect(RollingHRV()[.rmssd] == nil)
  }
}
