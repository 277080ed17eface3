import GATT
import TachogramCore

/// The heart rate that a notification tells.
enum HeartRates {
  /// In bpm; `nil` where the bytes are no Heart Rate Measurement.
  static func rate(_ value: [UInt8]) -> UInt16? {
    try? HeartRateMeasurementCodec.decode(value[...]).heartRate
  }
}
