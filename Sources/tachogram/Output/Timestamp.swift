import FoundationEssentials
import TachogramCore

/// Civil time as RFC 3339 with milliseconds, in UTC.
enum Timestamp {
  static func text(_ time: WallTime) -> String {
    let (seconds, rest) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let floored = rest < 0 ? seconds - 1 : seconds
    let milliseconds = (rest < 0 ? rest + 1_000_000 : rest) / 1000
    let days = floored >= 0 ? floored / 86_400 : (floored - 86_399) / 86_400
    let second = floored - days * 86_400
    let (year, month, day) = civil(days)
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T" + padded(second / 3600, 2) + ":"
      + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2) + "." + padded(milliseconds, 3) + "Z"
  }

  static func text(_ date: Date) -> String {
    text(WallTime(microseconds: Int64((date.timeIntervalSince1970 * 1e6).rounded())))
  }

  /// Year, month and day of a day number since 1970-01-01 in the Gregorian calendar (Hinnant, "chrono-compatible low-level
  /// date algorithms", civil_from_days): a notification each takes too long through a calendar library.
  private static func civil(_ day: Int64) -> (Int64, Int64, Int64) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthIndex = (5 * dayOfYear + 2) / 153
    let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value.magnitude)
    return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
