import TachogramCore

extension SensorEntry.Content {
  /// The bytes of a frame of pulse-to-pulse intervals, well-formed or not, or `nil` for other content.
  package var pulseIntervals: [UInt8]? {
    guard case .frame(let bytes) = self, bytes.first.map(PolarMeasurementType.init(byte:)) == .ppi else { return nil }
    return bytes
  }
}
