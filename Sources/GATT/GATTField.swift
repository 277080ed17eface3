/// A field of a characteristic value, as named in errors.
public enum GATTField: Hashable, Sendable, CaseIterable {
  /// The flags of a Heart Rate Measurement.
  case flags
  /// The heart rate of a Heart Rate Measurement.
  case heartRate
  /// The energy expended of a Heart Rate Measurement.
  case energyExpended
  /// One RR interval of a Heart Rate Measurement.
  case rrInterval
  case bodySensorLocation
  case heartRateControlPoint
  case batteryLevel
  /// A string of Device Information, or the device name.
  case text
}

extension GATTField: CustomStringConvertible {
  /// The name of the field in the specifications.
  public var description: String {
    switch self {
    case .flags: "Flags"
    case .heartRate: "Heart Rate"
    case .energyExpended: "Energy Expended"
    case .rrInterval: "RR-Interval"
    case .bodySensorLocation: "Body Sensor Location"
    case .heartRateControlPoint: "Heart Rate Control Point"
    case .batteryLevel: "Battery Level"
    case .text: "Text"
    }
  }
}
