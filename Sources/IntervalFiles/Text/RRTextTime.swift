/// A parser of moments in text: an ISO 8601 date and time, `2026-05-01T07:12:30.123` with `T` or a blank, or a time of day.
/// Time zones are ignored, since only differences matter.
enum RRTextTime {
  /// Returns the seconds since 1970 or since midnight, or `nil` for any other text, including a date without a time.
  static func seconds(_ text: ArraySlice<UInt8>) -> Double? {
    guard let separator = text.firstIndex(where: { $0 == UInt8(ascii: "T") || $0 == 0x20 }),
      let date = days(text[..<separator])
    else { return timeOfDay(text) }
    return timeOfDay(text[(separator + 1)...]).map { Double(date) * 86_400 + $0 }
  }

  /// Parses `07:12:30` or `07:12:30.123`, with or without a time zone.
  private static func timeOfDay(_ text: ArraySlice<UInt8>) -> Double? {
    let zone = text.firstIndex { $0 == UInt8(ascii: "Z") || $0 == 0x20 || $0 == UInt8(ascii: "+") || $0 == 0x2D }
    let parts = text[..<(zone ?? text.endIndex)].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 3, let hours = whole(parts[0], 0...23), let minutes = whole(parts[1], 0...59) else {
      return nil
    }
    let fraction = parts[2].split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == 0x2E || $0 == 0x2C }
    guard let seconds = whole(fraction[0], 0...60) else { return nil }
    var decimals = 0.0
    if fraction.count == 2 {
      guard (1...9).contains(fraction[1].count), let digits = whole(fraction[1], 0...999_999_999) else { return nil }
      decimals = fraction[1].reduce(Double(digits)) { value, _ in value / 10 }
    }
    return Double(hours * 3600 + minutes * 60 + seconds) + decimals
  }

  /// Returns the days from 1970 to a date such as `2026-05-01`, counted in eras of 400 years that begin in March.
  private static func days(_ text: ArraySlice<UInt8>) -> Int? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "/") }
    guard parts.count == 3, parts[0].count == 4, let year = whole(parts[0], 1900...9999),
      let month = whole(parts[1], 1...12), let day = whole(parts[2], 1...31)
    else { return nil }
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }

  private static func whole(_ digits: ArraySlice<UInt8>, _ range: ClosedRange<Int>) -> Int? {
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(String(decoding: digits, as: UTF8.self)), range.contains(number)
    else { return nil }
    return number
  }
}
