import Foundation
import Stress
import TachogramCore
import Testing

struct ReadinessCalculatorTests {
  private func readiness(_ readings: [MorningReading], on day: String, zone: String = "UTC") throws -> Readiness {
    ReadinessCalculator(timeZone: try StressScript.zone(zone))
      .readiness(from: readings, on: try StressScript.day(day))
  }

  /// Readings of consecutive mornings, the last on 2026-03-01 at 07:00 UTC.
  private func mornings(_ values: [Double]) throws -> [MorningReading] {
    let last = try StressScript.utc("2026-03-01", hour: 7)
    return values.enumerated().map { index, value in
      MorningReading(timestamp: last - Double(values.count - 1 - index) * 86_400, lnRMSSD: value)
    }
  }

  // MARK: - Closed forms

  /// Thirty mornings of 3.5 and thirty of 4.5: mean 4, standard deviation √(60 · 0.25 / 59).
  private static let endings: [(ending: [Double], mean: Double, variation: Double, level: Readiness.Level)] = [
    (Array(repeating: 4.5, count: 7), 4.5, 0, .above),
    (Array(repeating: 3.5, count: 7), 3.5, 0, .below),
    // Around 4, squares of 0.25 seven times, the mean 1/14 off: √((7/4 − 7/196) / 6) = √(2/7).
    ([4.5, 3.5, 4.5, 3.5, 4.5, 3.5, 4.5], 57.0 / 14, 100 * (2.0 / 7).squareRoot() / (57.0 / 14), .within),
  ]

  @Test(arguments: endings)
  func testSixtyMornings_GiveTheClosedForm(
    ending: [Double], mean: Double, variation: Double, level: Readiness.Level,
  ) throws {
    let high = ending.count { $0 == 4.5 }
    let earlier =
      Array(repeating: 4.5, count: 30 - high) + Array(repeating: 3.5, count: 30 - (ending.count - high))
    let readiness = try readiness(mornings(earlier + ending), on: "2026-03-01")
    #expect(readiness.level == level)
    #expect(readiness.shortages.isEmpty)
    #expect(readiness.weekCount == 7)
    #expect(readiness.count == 60)
    #expect(abs(try #require(readiness.weekMean) - mean) < 1e-12)
    #expect(abs(try #require(readiness.weekVariation) - variation) < 1e-10)
    let range = try #require(readiness.normalRange)
    let reach = 0.5 * (60 * 0.25 / 59).squareRoot()
    #expect(abs(range.lowerBound - (4 - reach)) < 1e-12)
    #expect(abs(range.upperBound - (4 + reach)) < 1e-12)
  }

  @Test func testEqualMornings_AreWithinARangeOfNoWidth() throws {
    let readiness = try readiness(mornings(Array(repeating: 4, count: 60)), on: "2026-03-01")
    #expect(readiness.level == .within)
    #expect(readiness.normalRange == 4...4)
  }

  @Test func testMeanThatIsNotPositive_HasNoVariation() throws {
    let readiness = try readiness(mornings([1, 0, -1]), on: "2026-03-01")
    #expect(readiness.weekMean == 0)
    #expect(readiness.weekVariation == nil)
  }

  // MARK: - Minimums

  @Test(arguments: [
    (0, 0), (0, 14), (2, 12), (2, 11), (3, 10), (3, 11), (7, 6), (7, 7),
  ])
  func testMinimums_AreThreeInTheWeekAndFourteenInAll(week: Int, before: Int) throws {
    let values = try mornings((0..<60).map { 4 + Double($0 % 2) })
    let readiness = try readiness(Array(values.prefix(before) + values.suffix(week)), on: "2026-03-01")
    var shortages: [ReadinessShortage] = []
    if week < 3 { shortages.append(.week(count: week, minimum: 3)) }
    if week + before < 14 { shortages.append(.normalRange(count: week + before, minimum: 14)) }
    #expect(readiness.shortages == shortages)
    #expect((readiness.level == nil) == !shortages.isEmpty)
    #expect((readiness.weekMean == nil) == (week < 3))
    #expect((readiness.normalRange == nil) == (week + before < 14))
  }

  @Test func testSecondReadingOfADay_DoesNotCount() throws {
    var readings = try mornings([4, 4, 4])
    readings.append(MorningReading(timestamp: try StressScript.utc("2026-03-01", hour: 9), lnRMSSD: 9))
    readings.append(MorningReading(timestamp: try StressScript.utc("2026-03-01", hour: 6), lnRMSSD: 7))
    let readiness = try readiness(readings, on: "2026-03-01")
    #expect(readiness.weekCount == 3)
    #expect(readiness.weekMean == 5)
  }

  // MARK: - Days

  @Test func testDays_EndWithTheOneAskedAbout() throws {
    let values = try mornings((0..<70).map(Double.init))
    let readiness = try readiness(values, on: "2026-02-26")
    #expect(readiness.count == 60)
    #expect(readiness.weekCount == 7)
    // Three mornings before the last: 60 … 66.
    #expect(readiness.weekMean == 63)
  }

  /// The week of 2026-03-29 begins in winter time, on 2026-03-23 at 00:00 (23:00 UTC of the day before), and ends in
  /// summer time, at 24:00 (22:00 UTC).
  @Test(arguments: [
    ("Europe/Berlin", "2026-03-22", 22.99, 0), ("Europe/Berlin", "2026-03-22", 23, 1),
    ("Europe/Berlin", "2026-03-29", 21.99, 1), ("Europe/Berlin", "2026-03-29", 22, 0),
    ("UTC", "2026-03-22", 23, 0), ("UTC", "2026-03-29", 22, 1), ("Pacific/Auckland", "2026-03-22", 10.99, 0),
    ("Pacific/Auckland", "2026-03-22", 11, 1), ("America/Los_Angeles", "2026-03-30", 6.99, 1),
    ("America/Los_Angeles", "2026-03-30", 7, 0),
  ])
  func testDays_AreThoseOfTheTimeZone(zone: String, day: String, hour: Double, count: Int) throws {
    let reading = MorningReading(timestamp: try StressScript.utc(day, hour: hour), lnRMSSD: 4)
    #expect(try readiness([reading], on: "2026-03-29", zone: zone).weekCount == count)
  }
}
