import FoundationEssentials
import Statistics
import TachogramCore

/// Readiness from morning readings: the mean lnRMSSD of 7 days against the normal range of 60.
///
/// The normal range is the mean ± 0.5 sample standard deviations, the smallest worthwhile change (Plews et al. 2013,
/// Sports Med 43:773–781; Buchheit 2014, Front Physiol 5:73). A week needs three readings (Plews et al. 2014, Int J
/// Sports Physiol Perform 9:783–790); that the 60 days need 14 is a choice of this program. Days are calendar days.
package struct ReadinessCalculator: Sendable {
  /// The number of days of the normal range, including the last.
  package static let days: Int64 = 60
  /// The number of days at the end of the range whose mean is compared.
  package static let weekDays: Int64 = 7
  /// The least number of mornings for a weekly mean.
  package static let minimumInWeek = 3
  /// The least number of mornings for a normal range.
  package static let minimum = 14
  /// Half the width of the normal range, in standard deviations.
  package static let smallestWorthwhileChange = 0.5

  private let timeZone: TimeZone

  /// Creates a calculator for the calendar days of `timeZone`.
  package init(timeZone: TimeZone) {
    self.timeZone = timeZone
  }

  /// Returns the readiness on `day`. If a day has several readings, the earliest is used; readings outside the 60 days, and
  /// readings that are not finite, are ignored.
  package func readiness(from readings: [MorningReading], on day: CivilDay) -> Readiness {
    let first = day.advanced(by: 1 - Self.days)
    var values: [CivilDay: Double] = [:]
    for reading in readings.sorted(by: { $0.timestamp < $1.timestamp }) where reading.lnRMSSD.isFinite {
      let itsDay = LocalTime(of: reading.timestamp, in: timeZone).day
      if (first...day).contains(itsDay), values[itsDay] == nil { values[itsDay] = reading.lnRMSSD }
    }
    let ordered = values.sorted { $0.key < $1.key }
    let week = ordered.filter { $0.key > day.advanced(by: -Self.weekDays) }.map(\.value)
    return readiness(on: day, week: week, all: ordered.map(\.value))
  }

  private func readiness(on day: CivilDay, week: [Double], all: [Double]) -> Readiness {
    var readiness = Readiness(day: day, weekCount: week.count, count: all.count, shortages: [])
    if week.count >= Self.minimumInWeek, let moments = SampleMoments(week) {
      readiness.weekMean = moments.mean
      readiness.weekVariation = moments.mean > 0 ? 100 * moments.deviation / moments.mean : nil
    } else {
      readiness.shortages.append(.week(count: week.count, minimum: Self.minimumInWeek))
    }
    if all.count >= Self.minimum, let moments = SampleMoments(all) {
      let reach = Self.smallestWorthwhileChange * moments.deviation
      readiness.normalRange = moments.mean - reach...moments.mean + reach
    } else {
      readiness.shortages.append(.normalRange(count: all.count, minimum: Self.minimum))
    }
    return readiness
  }
}
