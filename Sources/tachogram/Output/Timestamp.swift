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
    return CivilDay(number: days).text + "T" + padded(second / 3600, 2) + ":"
      + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2) + "." + padded(milliseconds, 3) + "Z"
  }

  static func text(_ date: Date) -> String {
    text(WallTime(date))
  }

  private static func padded(_ value: Int64, _ width: Int) -> String { CivilDay.padded(value, width) }
}
