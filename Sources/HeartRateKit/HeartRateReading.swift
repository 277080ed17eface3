import GATT
import TachogramCore

/// One notification of a strap: the value of the Heart Rate Measurement characteristic, 0x2A37 (Heart Rate Service 1.0, 3.1).
public struct HeartRateReading: Hashable, Sendable {
  /// What the strap says of its contact with the skin.
  public enum Contact: Hashable, Sendable {
    /// It does not support detection.
    case notSupported
    /// There is none: its values are not to be trusted.
    case notDetected
    /// There is contact.
    case detected
  }

  /// The heart rate as the strap averages it, in beats per minute; 0 while it knows none.
  public let heartRate: Int
  /// Contact with the skin.
  public let contact: Contact
  /// The energy expended since the strap's counter was reset, in kJ; `nil` where it does not say.
  public let energyExpended: Int?
  /// The RR intervals since the notification before, in ms, the oldest first; any number, none included. Each is a whole number of
  /// 1/1024 s.
  public let intervals: [Double]

  /// Decodes a value. Throws `HeartRateError.malformed`.
  public init(decoding value: some Sequence<UInt8>) throws(HeartRateError) {
    do throws(GATTDecodingError) {
      self.init(try HeartRateMeasurementCodec.decode(Array(value)[...]))
    } catch {
      throw .malformed(problem: error.description)
    }
  }

  init(_ measurement: HeartRateMeasurement) {
    heartRate = Int(measurement.heartRate)
    contact =
      switch measurement.contact {
      case .notSupported: .notSupported
      case .notDetected: .notDetected
      case .detected: .detected
      }
    energyExpended = measurement.energyExpended.map(Int.init)
    intervals = measurement.rrIntervals.map(\.milliseconds)
  }
}
