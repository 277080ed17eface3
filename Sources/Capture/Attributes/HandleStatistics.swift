import GATT
import TachogramCore

/// What was notified on one handle.
struct HandleStatistics {
  let handle: UInt16
  /// The type of the attribute as far as it is known; see `AttributeServer.types`.
  var type: UInt16?
  private(set) var count = 0
  /// Whether every value that came while the type was not known is a well-formed and plausible Heart Rate Measurement.
  private(set) var isPlausible = true

  init(handle: UInt16, type: UInt16?) {
    self.handle = handle
    self.type = type
  }

  mutating func add(_ value: Span<UInt8>) {
    count += 1
    if type == nil, isPlausible { isPlausible = Self.isPlausible(value) }
  }

  /// Stricter than decoding: no reserved flag and a rate that a heart can have, since many other values decode by
  /// chance.
  private static func isPlausible(_ value: Span<UInt8>) -> Bool {
    guard let flags = value.byte(at: 0), flags & 0xE0 == 0,
      let measurement = try? HeartRateMeasurementCodec.decode(value)
    else { return false }
    return measurement.heartRate == 0 || (20...250).contains(measurement.heartRate)
  }
}
