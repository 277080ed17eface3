/// The measurements that a strap supports: the value that is read from the control point (PMD Specification, "Read Features
/// from device"). It is no response to a request.
///
///     code      1    0x0F
///     features  16   bit n of the mask, least significant byte first, is measurement type n; straps may send fewer bytes
///
/// An H10 has ECG and acceleration: `0F 05` and 15 zeros.
package struct PolarMeasurementFeatures: Hashable, Sendable {
  /// The length of a value as straps send it, in bytes.
  package static let length = 17

  private static let code: UInt8 = 0x0F

  /// Bit n is measurement type n, 0 … 63.
  private let mask: UInt64

  /// Creates the features of a strap.
  package init(_ measurements: Set<PolarMeasurementType>) {
    mask = measurements.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
  }

  private init(mask: UInt64) {
    self.mask = mask
  }

  /// The supported measurements, also those without a name.
  package var measurements: Set<PolarMeasurementType> {
    Set((0..<64).filter { mask >> UInt64($0) & 1 != 0 }.map { PolarMeasurementType(byte: $0) })
  }

  /// Returns whether the strap supports a measurement.
  package func contains(_ measurement: PolarMeasurementType) -> Bool {
    mask >> UInt64(measurement.rawValue) & 1 != 0
  }
}

extension PolarMeasurementFeatures: GATTDecodable {
  /// Reads the code and 1 … 16 bytes of the mask. Bits above 63, which belong to no measurement type, are ignored.
  package static func decode(_ bytes: ArraySlice<UInt8>) throws(GATTDecodingError) -> PolarMeasurementFeatures {
    var reader = PolarByteReader(bytes)
    let code = try reader.byte(.controlPointCode)
    guard code == Self.code else { throw .unsupported(field: .controlPointCode, value: code, offset: 0) }
    var mask = UInt64(try reader.byte(.measurementFeatures))
    for position in 1..<(length - 1) where !reader.isAtEnd {
      let byte = try reader.byte(.measurementFeatures)
      if position < 8 { mask |= UInt64(byte) << UInt64(8 * position) }
    }
    try reader.end()
    return PolarMeasurementFeatures(mask: mask)
  }

  /// Writes all 17 bytes.
  package static func encode(_ features: PolarMeasurementFeatures) -> [UInt8] {
    var bytes = [code]
    bytes.append(littleEndian: features.mask)
    return bytes + Array(repeating: 0, count: length - bytes.count)
  }
}
