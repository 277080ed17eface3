/// Frames of an optical sensor (PMD Specification, "Frame types PPG"; Polar BLE SDK).
///
///     raw 0          4 channels of 3 bytes, signed: three of light, and ambient light
///     raw 5          4 bytes: the mode of the sensor
///     compressed 0   as raw 0, times the factor
///     compressed 8   25 channels of 3 bytes in the reference sample: 24 of light, times the factor, and a status
enum PolarPPGCodec {
  private static let bytes = 3
  private static let lights = 3
  private static let arrayLights = 24

  static func decode(
    _ reader: inout PolarByteReader, _ header: PolarFrameHeader, factor: Float
  ) throws(GATTDecodingError) -> [PolarPPGSample] {
    let scale = PolarScale(factor: Double(factor))
    switch header.format {
    case .raw(0): return try raw(&reader)
    case .raw(5): return try modes(&reader)
    case .compressed(0):
      return rows(try PolarDeltaCodec.decode(&reader, channels: lights + 1, bytes: bytes), of: lights + 1).map { row in
        .light(row.prefix(lights).map { scale.value($0) }, ambient: scale.value(row[row.startIndex + lights]))
      }
    case .compressed(8):
      let channels = arrayLights + 1
      return rows(try PolarDeltaCodec.decode(&reader, channels: channels, bytes: bytes), of: channels).map { row in
        let status = UInt32(bitPattern: row[row.startIndex + arrayLights]) & 0xFF_FFFF
        return .lightArray(row.prefix(arrayLights).map { scale.value($0) }, status: status)
      }
    default: throw header.unsupportedFormat
    }
  }

  private static func raw(_ reader: inout PolarByteReader) throws(GATTDecodingError) -> [PolarPPGSample] {
    var samples: [PolarPPGSample] = []
    while !reader.isAtEnd {
      var fields = PolarByteReader(try reader.slice((lights + 1) * bytes, .sample))
      var light: [Int32] = []
      for _ in 0..<lights { light.append(try fields.signed(bytes, .sample)) }
      samples.append(.light(light, ambient: try fields.signed(bytes, .sample)))
    }
    return samples
  }

  private static func modes(_ reader: inout PolarByteReader) throws(GATTDecodingError) -> [PolarPPGSample] {
    var samples: [PolarPPGSample] = []
    while !reader.isAtEnd {
      samples.append(.operationMode(UInt32(truncatingIfNeeded: try reader.unsigned(4, .sample))))
    }
    return samples
  }

  /// Returns the channels of each sample.
  private static func rows(_ integers: [Int32], of channels: Int) -> [ArraySlice<Int32>] {
    stride(from: 0, to: integers.count, by: channels).map { integers[$0..<($0 + channels)] }
  }
}
