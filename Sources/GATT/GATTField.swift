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
  /// The first byte of a value of Polar's control point, which says what the value is.
  case controlPointCode
  /// The operation of a request to Polar's control point, or of the response to it.
  case controlPointOperation
  /// The status of a response of Polar's control point.
  case controlPointStatus
  /// The byte that says whether more parts of a response of Polar's control point follow.
  case controlPointMore
  /// The mask of the measurements that a Polar strap supports.
  case measurementFeatures
  /// The type of a Polar measurement.
  case measurementType
  /// The type of a setting of a Polar measurement.
  case settingType
  /// The number of values of a setting of a Polar measurement.
  case settingCount
  /// One value of a setting of a Polar measurement.
  case settingValue
  /// The time of a frame of Polar measurement data.
  case frameTime
  /// The format of the samples in a frame of Polar measurement data.
  case frameType
  /// One sample of a frame of Polar measurement data.
  case sample
  /// The first sample of a compressed frame of Polar measurement data.
  case referenceSample
  /// The number of bits of each difference in a group of a compressed frame.
  case deltaSize
  /// The number of samples in a group of a compressed frame.
  case deltaCount
  /// The differences of a group of a compressed frame.
  case deltaSamples
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
    case .controlPointCode: "Control Point Code"
    case .controlPointOperation: "Op Code"
    case .controlPointStatus: "Error Code"
    case .controlPointMore: "More"
    case .measurementFeatures: "Features"
    case .measurementType: "Measurement Type"
    case .settingType: "Setting Type"
    case .settingCount: "Setting Count"
    case .settingValue: "Setting Value"
    case .frameTime: "Timestamp"
    case .frameType: "Frame Type"
    case .sample: "Sample"
    case .referenceSample: "Reference Sample"
    case .deltaSize: "Delta Size"
    case .deltaCount: "Delta Sample Count"
    case .deltaSamples: "Delta Samples"
    }
  }
}
