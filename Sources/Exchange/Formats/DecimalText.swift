import TachogramCore

/// The format of numbers in tables.
enum DecimalText {
  /// Formats an interval in ms, without `.0` if it is a whole number.
  static func of(_ interval: RRInterval) -> String {
    let value = interval.milliseconds
    return value == value.rounded() ? "\(Int(value))" : "\(value)"
  }
}
