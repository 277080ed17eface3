import Foundation
import HeartRateKit
import TachogramTestKit
import Testing

struct HeartRateCaptureTests {
  @Test func testReadings_AreAllThatWereNotified() throws {
    let capture = try HeartRateCapture(contentsOf: try FixtureLocator.capture("two-straps"))
    var (straps, arrivals, rates): ([String], [Date], [Int]) = ([], [], [])
    try capture.forEachReading { strap, arrival, reading in
      straps.append(strap)
      arrivals.append(arrival)
      rates.append(reading.heartRate)
    }
    #expect(rates.allSatisfy { $0 > 0 })
    #expect(zip(arrivals, arrivals.dropFirst()).allSatisfy { $0 <= $1 })
    let told = try capture.straps()
    #expect(told.count == 2)
    for strap in told {
      let count = straps.count { $0 == strap.address }
      #expect(count == strap.notificationCount - strap.malformedCount - strap.leftOutCount)
    }
  }

  @Test func testStraps_AreWhatTheirIntervalsAmountTo() throws {
    let capture = try HeartRateCapture(contentsOf: try FixtureLocator.capture("rest"))
    var analysis = IntervalAnalysis()
    try capture.forEachReading { _, _, reading in
      for interval in reading.intervals { analysis.append(interval) }
    }
    let strap = try #require(try capture.straps().first)
    let result = analysis.result()
    #expect(strap.hrv.intervalCount == result.intervalCount)
    for metric in [HRVResult.Metric.meanNN, .sdnn, .rmssd] {
      let (whole, plain) = (try #require(strap.hrv[metric]), try #require(result[metric]))
      #expect(abs(whole - plain) < 1e-6 * plain, "\(metric)")
    }
  }

  @Test func testFileThatIsNone_IsRefusedByName() throws {
    let folder = try TemporaryFolder()
    try folder.write("no capture".utf8, to: "x.btsnoop")
    for path in [folder.path("x.btsnoop"), folder.path("missing")] {
      let error = #expect(throws: HeartRateError.self) { try HeartRateCapture(contentsOf: path) }
      #expect(error?.description.contains(path) ?? false)
    }
  }
}
