import TachogramCore

/// Numbers in tables.
enum DecimalText {
  /// An interval in ms; a whole number without `.0`.
  static func of(_ interval: RRInterval) -> String {
    let value = interval.milliseconds
    return value == value.rounded() ? "\(Int(value))" : "\(value)"
  }
}
