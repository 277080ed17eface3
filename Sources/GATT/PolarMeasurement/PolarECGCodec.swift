/// Frames of an electrocardiogram (PMD Specification, "Frame types ECG"; Polar BLE SDK).
///
///     raw 0   3 bytes a sample, signed, µV
///     raw 2   3 bytes a sample: bits 0–17 µV, read without a sign as Polar's SDK does, 18–20 ECG tag, 21–23 pace tag
package enum PolarECGCodec {
  private static let bytes = 3
  private static let limit: Int32 = 0x7F_FFFF

  static func decode(
    _ reader: inout PolarByteReader, _ header: PolarFrameHeader
  ) throws(GATTDecodingError) -> [PolarECGSample] {
    guard header.format == .raw(0) || header.format == .raw(2) else { throw header.unsupportedFormat }
    var samples: [PolarECGSample] = []
    while !reader.isAtEnd {
      let value = try reader.signed(bytes, .sample)
      samples.append(header.format == .raw(0) ? PolarECGSample(microvolts: value) : tagged(value))
    }
    return samples
  }

  private static func tagged(_ value: Int32) -> PolarECGSample {
    let tags = PolarECGSample.Tags(ecg: UInt8(value >> 18 & 0x07), pace: UInt8(value >> 21 & 0x07))
    return PolarECGSample(microvolts: value & 0x3FFFF, tags: tags)
  }

  /// Writes a frame of format 0 whose last sample has the time `time` in ns since 2000-01-01. Voltages are in µV, and saturate
  /// at 24 bits.
  package static func encode(microvolts: [Int32], time: UInt64) -> [UInt8] {
    var frame = PolarFrameHeader(.ecg, time: time, format: .raw(0)).bytes
    for value in microvolts { frame.append(min(max(value, -limit - 1), limit), bytes: bytes) }
    return frame
  }
}
