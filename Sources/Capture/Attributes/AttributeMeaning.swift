import GATT

/// What an attribute is, as far as finding heart rate depends on it.
enum AttributeMeaning: UInt8, Hashable, Sendable {
  /// A Heart Rate Measurement.
  case heartRate
  /// Service Changed: its indications say which handles are no longer what they were.
  case serviceChanged
  case other

  /// The meaning of an attribute of this type, as in `AttributeServer.types`.
  init(type: UInt16) {
    switch type {
    case GATTUUID.heartRateMeasurement: self = .heartRate
    case GATTUUID.serviceChanged: self = .serviceChanged
    default: self = .other
    }
  }
}
