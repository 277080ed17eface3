import FoundationEssentials

/// Conversions of civil time to and from RFC 3339 text.
package enum Timestamp {
  /// Returns a time with milliseconds, in UTC.
  package static func text(_ time: WallTime) -> String { text(time, digits: 3) }

  /// Returns a time with milliseconds, in UTC, for the name of a file: without colons, which some file systems refuse.
  package static func fileText(_ time: WallTime) -> String { text(time).filter { $0 != ":" } }

  /// Returns a time with microseconds, in UTC. `time(_:)` converts the text to the same instant.
  package static func exactText(_ time: WallTime) -> String { text(time, digits: 6) }

  private static func text(_ time: WallTime, digits: Int) -> String {
    let (seconds, rest) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let floored = rest < 0 ? seconds - 1 : seconds
    let microseconds = rest < 0 ? rest + 1_000_000 : rest
    let fraction = digits == 3 ? microseconds / 1000 : microseconds
    let days = floored >= 0 ? floored / 86_400 : (floored - 86_399) / 86_400
    let second = floored - days * 86_400
    return CivilDay(number: days).text + "T" + padded(second / 3600, 2) + ":"
      + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2) + "." + padded(fraction, digits) + "Z"
  }

  /// Returns a time with milliseconds, in UTC.
  package static func text(_ date: Date) -> String {
    text(WallTime(date))
  }

  private static func padded(_ value: Int64, _ width: Int) -> String { CivilDay.padded(value, width) }

  /// Returns the instant of a text such as 2026-03-29T01:02:03.5Z or 2026-03-29T01:02:03+02:00, truncated to the microsecond,
  /// or `nil` for any other text. A leap second is treated as the following second.
  package static func time(_ text: String) -> WallTime? {
    let characters = Array(text)
    guard characters.count >= 20, "Tt ".contains(characters[10]), let day = CivilDay(text: String(characters[..<10])),
      let second = clock(characters[11..<19], mostSeconds: 60)
    else { return nil }
    var rest = characters[19...]
    var microseconds: Int64 = 0
    if rest.first == "." {
      let digits = rest.dropFirst().prefix { "0"..."9" ~= $0 }
      guard !digits.isEmpty else { return nil }
      let kept = String(digits.prefix(6))
      microseconds = Int64(kept + String(repeating: "0", count: 6 - kept.count)) ?? 0
      rest = rest.dropFirst(1 + digits.count)
    }
    guard let offset = offset(rest) else { return nil }
    return WallTime(microseconds: (day.number * 86_400 + second - offset) * 1_000_000 + microseconds)
  }

  /// Returns the number of seconds in `hh:mm:ss` or `hh:mm`, or `nil` for any other text.
  private static func clock(_ characters: ArraySlice<Character>, mostSeconds: Int64 = 59) -> Int64? {
    let parts = characters.split(separator: ":", omittingEmptySubsequences: false)
    let values = parts.compactMap { part in
      part.count == 2 && part.allSatisfy { "0"..."9" ~= $0 } ? Int64(String(part)) : nil
    }
    guard values.count == parts.count, values[0] <= 23, values[1] <= 59, values.count == 2 || values[2] <= mostSeconds
    else { return nil }
    return values[0] * 3600 + values[1] * 60 + (values.count == 3 ? values[2] : 0)
  }

  /// Returns the time zone offset in seconds east of Greenwich, or `nil` for any other text.
  private static func offset(_ characters: ArraySlice<Character>) -> Int64? {
    if characters.count == 1, let zulu = characters.first, "Zz".contains(zulu) { return 0 }
    guard characters.count == 6, let sign = characters.first, "+-".contains(sign),
      let seconds = clock(characters.dropFirst())
    else { return nil }
    return sign == "-" ? -seconds : seconds
  }
}
