/// A kind of measurement of the PMD service, 0 … 63. Values without a name are kept.
///
/// Polar's SDK reads the lower six bits of a type; the upper two are states of the measurement, such as a recording in the
/// memory of the strap.
package struct PolarMeasurementType: RawRepresentable, Hashable, Sendable {
  private static let mask: UInt8 = 0x3F

  /// An electrocardiogram.
  package static let ecg = Self(byte: 0)
  /// A photoplethysmogram.
  package static let ppg = Self(byte: 1)
  package static let acceleration = Self(byte: 2)
  /// Intervals between pulses of the photoplethysmogram.
  package static let ppi = Self(byte: 3)
  package static let gyroscope = Self(byte: 5)
  package static let magnetometer = Self(byte: 6)
  package static let skinTemperature = Self(byte: 7)
  /// A mode with more rates and ranges, and without heart rate and PPI; it is started and stopped as a measurement.
  package static let sdkMode = Self(byte: 9)
  package static let location = Self(byte: 10)
  package static let pressure = Self(byte: 11)
  package static let temperature = Self(byte: 12)
  /// Recordings in the memory of the strap.
  package static let offlineRecording = Self(byte: 13)
  package static let offlineHeartRate = Self(byte: 14)

  /// The number of the type, 0 … 63.
  package let rawValue: UInt8

  /// Creates a type, or returns `nil` above 63.
  package init?(rawValue: UInt8) {
    guard rawValue <= Self.mask else { return nil }
    self.rawValue = rawValue
  }

  /// Creates a type from the lower six bits of a byte.
  package init(byte: UInt8) {
    rawValue = byte & Self.mask
  }
}

extension PolarMeasurementType: CustomStringConvertible {
  /// The name of the measurement, or its number.
  package var description: String {
    switch self {
    case .ecg: "ECG"
    case .ppg: "PPG"
    case .acceleration: "acceleration"
    case .ppi: "PPI"
    case .gyroscope: "gyroscope"
    case .magnetometer: "magnetometer"
    case .skinTemperature: "skin temperature"
    case .sdkMode: "SDK mode"
    case .location: "location"
    case .pressure: "pressure"
    case .temperature: "temperature"
    case .offlineRecording: "offline recording"
    case .offlineHeartRate: "offline heart rate"
    default: "measurement \(rawValue)"
    }
  }
}
