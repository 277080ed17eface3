/// The factor between the integers of a frame and integers in the unit of the measurement. Results are rounded to the nearest
/// integer, halves away from 0, and saturate; Polar's SDK truncates them, which differs by less than 1.
struct PolarScale {
  let factor: Double

  /// Returns an integer of a frame in the unit of the measurement.
  func value(_ integer: Int32) -> Int32 {
    Self.saturated(Double(integer) * factor)
  }

  /// Returns the integer of a frame for a value in the unit of the measurement.
  func integer(_ value: Int32) -> Int32 {
    Self.saturated(Double(value) / factor)
  }

  /// Returns the nearest integer, a limit beyond the limits, and 0 for what is no number.
  private static func saturated(_ number: Double) -> Int32 {
    if number.isNaN { return 0 }
    return Int32(min(max(number.rounded(), Double(Int32.min)), Double(Int32.max)))
  }
}
