import GATT

/// The role of an attribute in the detection of heart rate.
enum AttributeMeaning: UInt8, Hashable, Sendable {
  /// A Heart Rate Measurement.
  case heartRate
  /// Service Changed, whose indications list handles with a changed meaning.
  case serviceChanged
  case other

  /// Creates the meaning of an attribute of this type, which is as in `AttributeServer.types`.
  init(type: UInt16) {
    switch type {
    case GATTUUID.heartRateMeasurement: self = .heartRate
    case GATTUUID.serviceChanged: self = .serviceChanged
    default: self = .other
    }
  }
}
