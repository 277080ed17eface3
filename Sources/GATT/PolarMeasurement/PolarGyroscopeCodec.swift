/// Frames of a gyroscope (Polar BLE SDK).
///
///     compressed 1   3 channels of 4 bytes in the reference sample: IEEE 754 numbers, times the factor degrees per second; the
///                    differences are those of their bits as integers
enum PolarGyroscopeCodec {
  private static let axes = 3

  static func decode(
    _ reader: inout PolarByteReader, _ header: PolarFrameHeader, factor: Float
  ) throws(GATTDecodingError) -> [PolarGyroscopeSample] {
    guard header.format == .compressed(1) else { throw header.unsupportedFormat }
    let values = try PolarDeltaCodec.decode(&reader, channels: axes, bytes: 4).map {
      Float(bitPattern: UInt32(bitPattern: $0)) * factor
    }
    return stride(from: 0, to: values.count, by: axes).map {
      PolarGyroscopeSample(x: values[$0], y: values[$0 + 1], z: values[$0 + 2])
    }
  }
}
