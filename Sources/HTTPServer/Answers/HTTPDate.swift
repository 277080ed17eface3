import TachogramCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Formats times for the field Date (RFC 9110, 5.6.7).
package enum HTTPDate {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Returns a text such as `Sun, 29 Mar 2026 01:02:03 GMT`.
  package static func text(_ time: WallTime) -> String {
    var seconds = time_t(time.microseconds / 1_000_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(padded).joined(separator: ":")
    return "\(days[Int(parts.tm_wday)]), \(padded(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900)"
      + " \(clock) GMT"
  }

  private static func padded(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
