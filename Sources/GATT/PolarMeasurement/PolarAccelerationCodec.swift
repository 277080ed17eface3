/// Frames of acceleration (PMD Specification, "Frame types ACC"; Polar BLE SDK). Each sample has the axes x, y, z.
///
///     raw 0, 1, 2     1, 2 or 3 bytes an axis, signed, milli-g
///     compressed 0    2 bytes an axis in the reference sample; times the factor, g
///     compressed 1    2 bytes an axis in the reference sample; times the factor, milli-g
package enum PolarAccelerationCodec {
  private static let axes = 3
  private static let compressedBytes = 2
  private static let thousandths: Double = 1000

  static func decode(
    _ reader: inout PolarByteReader, _ header: PolarFrameHeader, factor: Float
  ) throws(GATTDecodingError) -> [PolarAccelerationSample] {
    if let bytes = bytes(ofRaw: header.format) {
      var samples: [PolarAccelerationSample] = []
      while !reader.isAtEnd {
        var fields = PolarByteReader(try reader.slice(axes * bytes, .sample))
        samples.append(
          PolarAccelerationSample(
            x: try fields.signed(bytes, .sample), y: try fields.signed(bytes, .sample),
            z: try fields.signed(bytes, .sample)))
      }
      return samples
    }
    guard let scale = scale(ofCompressed: header.format, factor) else { throw header.unsupportedFormat }
    let integers = try PolarDeltaCodec.decode(&reader, channels: axes, bytes: compressedBytes)
    return stride(from: 0, to: integers.count, by: axes).map { start in
      PolarAccelerationSample(
        x: scale.value(integers[start]), y: scale.value(integers[start + 1]), z: scale.value(integers[start + 2]))
    }
  }

  /// Writes a frame whose last sample has the time `time` in ns since 2000-01-01. Values that the format cannot hold saturate.
  /// Returns `nil` for a format that acceleration does not have, and for a compressed frame without samples.
  package static func encode(
    _ samples: [PolarAccelerationSample], time: UInt64, format: PolarFrameFormat, factor: Float = 1
  ) -> [UInt8]? {
    var frame = PolarFrameHeader(.acceleration, time: time, format: format).bytes
    let values = samples.flatMap { [$0.x, $0.y, $0.z] }
    if let bytes = bytes(ofRaw: format) {
      let limit = Int32.max >> Int32(32 - 8 * bytes)
      for value in values { frame.append(min(max(value, -limit - 1), limit), bytes: bytes) }
      return frame
    }
    guard let scale = scale(ofCompressed: format, factor), !samples.isEmpty else { return nil }
    return frame + PolarDeltaCodec.encode(values.map { scale.integer($0) }, channels: axes, bytes: compressedBytes)
  }

  /// Returns the bytes of an axis in a raw format.
  private static func bytes(ofRaw format: PolarFrameFormat) -> Int? {
    switch format {
    case .raw(0): 1
    case .raw(1): 2
    case .raw(2): 3
    default: nil
    }
  }

  /// Returns the scale from the integers of a compressed format to milli-g.
  private static func scale(ofCompressed format: PolarFrameFormat, _ factor: Float) -> PolarScale? {
    switch format {
    case .compressed(0): PolarScale(factor: Double(factor) * thousandths)
    case .compressed(1): PolarScale(factor: Double(factor))
    default: nil
    }
  }
}
