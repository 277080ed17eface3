/// Frames of a magnetometer (Polar BLE SDK).
///
///     compressed 0   3 channels of 2 bytes in the reference sample: times the factor, gauss
///     compressed 1   4 channels of 2 bytes in the reference sample: three times the factor, milligauss, and the calibration
enum PolarMagnetometerCodec {
  private static let axes = 3
  private static let thousandths: Float = 1000

  static func decode(
    _ reader: inout PolarByteReader, _ header: PolarFrameHeader, factor: Float
  ) throws(GATTDecodingError) -> [PolarMagnetometerSample] {
    let (channels, divisor): (Int, Float)
    switch header.format {
    case .compressed(0): (channels, divisor) = (axes, 1)
    case .compressed(1): (channels, divisor) = (axes + 1, thousandths)
    default: throw header.unsupportedFormat
    }
    let integers = try PolarDeltaCodec.decode(&reader, channels: channels, bytes: 2)
    return stride(from: 0, to: integers.count, by: channels).map { start in
      let field = integers[start..<(start + axes)].map { Float($0) * factor / divisor }
      return PolarMagnetometerSample(
        x: field[0], y: field[1], z: field[2],
        calibration: channels > axes ? .init(rawValue: integers[start + axes]) : nil)
    }
  }
}
