import FoundationEssentials
import TachogramCore

/// The civil clock of a time zone, for formats that hold local time. Offsets are whole minutes, as RFC 3339 requires.
struct LocalClock {
  let timeZone: TimeZone

  /// Returns the number of seconds, a whole number of minutes, by which local time is ahead of UTC at an instant.
  func offset(at time: WallTime) -> Int64 {
    Int64(timeZone.secondsFromGMT(for: time.date)) / 60 * 60
  }

  /// Returns a time as RFC 3339 text with its offset, such as `2026-03-29T22:10:00+02:00`, with as many digits of the second, 0,
  /// 3 or 6, as it needs.
  func text(_ time: WallTime) -> String {
    let digits = time.microseconds % 1000 != 0 ? 7 : time.microseconds % 1_000_000 != 0 ? 4 : 0
    return exact(time).prefix(19 + digits) + zone(at: time, separator: ":")
  }

  /// Returns a time to the second as Apple Health writes it: `2026-03-29 22:10:00 +0200`.
  func spacedText(_ time: WallTime) -> String {
    let text = exact(time)
    return text.prefix(10) + " " + text.dropFirst(11).prefix(8) + " " + zone(at: time, separator: "")
  }

  /// Returns the year, the month, the day, the hour, the minute and the second as digits: `2026`, `03`, `29`, `22`, `10`, `00`.
  func fields(_ time: WallTime) -> [String] {
    exact(time).prefix(19).split { "-T:".contains($0) }.map(String.init)
  }

  /// Returns the local time with microseconds, as if it were UTC.
  private func exact(_ time: WallTime) -> String {
    Timestamp.exactText(time.advanced(byMicroseconds: offset(at: time) * 1_000_000))
  }

  private func zone(at time: WallTime, separator: String) -> String {
    let minutes = offset(at: time) / 60
    let (hours, rest) = (minutes.magnitude / 60, minutes.magnitude % 60)
    return (minutes < 0 ? "-" : "+") + CivilDay.padded(Int64(hours), 2) + separator + CivilDay.padded(Int64(rest), 2)
  }
}
