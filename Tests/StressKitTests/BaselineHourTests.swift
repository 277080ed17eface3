import FoundationEssentials
import StressKit
import Testing

struct BaselineHourTests {
  /// A midnight in UTC.
  private let midnight = Date(timeIntervalSince1970: 20_370 * 86_400)

  private func hourly(_ measurements: [HRVMeasurement], offset: Int = 0) throws -> [Int: Double] {
    let zone = try #require(TimeZone(secondsFromGMT: offset))
    let baseline = BaselineCalculator(kind: .sdnn, timeZone: zone).baseline(
      from: measurements, heartRates: [], at: midnight,
    )
    #expect(baseline.isPersonal)
    return baseline.hourlyHRV
  }

  /// Measurements on as many past days, at `seconds` of the day.
  private func measurements(_ values: [Double], at seconds: Double) -> [HRVMeasurement] {
    values.enumerated().map { index, value in
      HRVMeasurement(value: value, timestamp: midnight - Double(index + 1) * 86_400 + seconds)
    }
  }

  @Test func testHourWithFive_HasItsMedian() throws {
    let hourly = try hourly(
      measurements([50, 54, 51, 53, 52], at: 3 * 3600) + measurements([60, 61, 62, 63, 64, 65], at: 15 * 3600 + 1800)
        + measurements([40, 41, 42, 43], at: 20 * 3600) + measurements((0..<20).map { 50 + Double($0) }, at: 0)
    )
    #expect(Set(hourly.keys) == [0, 3, 15])
    #expect(abs(try #require(hourly[3]) - 52) < 1e-9)
    #expect(abs(try #require(hourly[15]) - 62.5) < 1e-9)
    #expect(abs(try #require(hourly[0]) - 59.5) < 1e-9)
  }

  @Test func testOutlier_DoesNotCountForItsHour() throws {
    let usual = measurements((0..<29).map { 50 + Double($0 % 5) }, at: 8 * 3600)
    let hourly = try hourly(usual + measurements([50, 51, 52, 53, 500], at: 9 * 3600))
    #expect(Set(hourly.keys) == [8])
  }

  @Test(arguments: [
    (0, 0, 0), (0, 3599, 0), (0, 3600, 1), (0, 86_399, 23), (3600, 86_399, 0), (-3600, 0, 23), (19_800, 0, 5),
    (-34_200, 0, 14), (50_400, 43_200, 2),
  ])
  func testHour_IsThatOfTheTimeZone(offset: Int, seconds: Int, hour: Int) throws {
    let hourly = try hourly(measurements((0..<30).map { 50 + Double($0) }, at: Double(seconds)), offset: offset)
    #expect(Set(hourly.keys) == [hour])
  }
}
