import GATT
import TachogramCore

/// One notification of a strap: the value of the Heart Rate Measurement characteristic, 0x2A37 (Heart Rate Service 1.0, 3.1).
public struct HeartRateReading: Hashable, Sendable {
  /// The skin contact as reported by the strap.
  public enum Contact: Hashable, Sendable {
    /// The strap does not support contact detection.
    case notSupported
    /// No contact: the values are not reliable.
    case notDetected
    /// The sensor has contact.
    case detected
  }

  /// The heart rate as averaged by the strap, in beats per minute; 0 if the strap has no value.
  public let heartRate: Int
  /// Contact with the skin.
  public let contact: Contact
  /// The energy expended since the strap's counter was reset, in kJ; `nil` if it is not in the notification.
  public let energyExpended: Int?
  /// The RR intervals since the previous notification, in ms, the oldest first; may be empty. Each is a multiple of 1/1024 s.
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
