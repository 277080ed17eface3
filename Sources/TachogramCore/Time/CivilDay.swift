import FoundationEssentials

/// A day of the Gregorian calendar, independent of time zones.
package struct CivilDay: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01.
  package var number: Int64

  package init(number: Int64) {
    self.number = number
  }

  package static func < (left: CivilDay, right: CivilDay) -> Bool {
    left.number < right.number
  }

  /// Returns the day that is a number of days later.
  package func advanced(by days: Int64) -> CivilDay {
    CivilDay(number: number + days)
  }

  /// Returns the first instant of the day in a time zone: midnight, or the instant of the clock change if it skips midnight.
  package func start(in timeZone: TimeZone) -> Date {
    let midnight = Double(number) * 86_400
    func moved(by offset: Int) -> Date { Date(timeIntervalSince1970: midnight - Double(offset)) }
    let near = moved(by: timeZone.secondsFromGMT(for: moved(by: 0)))
    return moved(by: timeZone.secondsFromGMT(for: near))
  }

  // MARK: - As text

  /// Creates a day from text such as 2026-03-29. Returns `nil` for any other text and for a day that does not exist.
  package init?(text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 45 || (48...57).contains($0) }) else {
      return nil
    }
    let values = parts.compactMap { Int64($0) }
    guard values.count == 3, (1...12).contains(values[1]) else { return nil }
    number = Self.number(year: values[0], month: values[1], day: values[2])
    guard self.text == text else { return nil }
  }

  /// The day in text form, such as 2026-03-29.
  package var text: String {
    let (year, month, day) = civil
    return Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2)
  }

  /// Returns a number padded with leading zeros to at least `width` digits.
  package static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value.magnitude)
    return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// The year, month and day (Hinnant, "chrono-compatible low-level date algorithms", civil_from_days). A calendar library is
  /// too slow for one call per notification.
  private var civil: (Int64, Int64, Int64) {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthIndex = (5 * dayOfYear + 2) / 153
    let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
  }

  /// Returns the number of a day, the inverse of `civil`, for years from 0 (days_from_civil).
  private static func number(year: Int64, month: Int64, day: Int64) -> Int64 {
    // The year begins in March, so that the leap day is its last day.
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
