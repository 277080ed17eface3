/// The skin contact reported by a strap (Heart Rate Service 1.0, 3.1.1.1.2).
public enum SensorContact: String, Hashable, Sendable, CaseIterable {
  /// The strap does not support detection.
  case notSupported
  /// The strap supports detection, and there is no contact: its values are unreliable.
  case notDetected
  /// The strap supports detection, and there is contact.
  case detected

  /// Whether there is contact, or `nil` if the strap does not support detection.
  package var isDetected: Bool? { self == .notSupported ? nil : self == .detected }
}
