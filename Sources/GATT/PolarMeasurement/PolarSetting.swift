/// One setting of a measurement with its values: all that a strap offers, or the one of a running measurement (PMD
/// Specification, "Request Stream Settings"; the sizes are those of Polar's SDK).
///
///     type    1   0 sample rate, 1 resolution, 2 range, 3 range in thousandths, 4 channels, 5 factor
///     count   1   number of values
///     values  2, 2, 2, 4, 1 or 4 bytes each, by the type, least significant byte first
package enum PolarSetting: Hashable, Sendable {
  /// Samples per second.
  case sampleRate([UInt16])
  /// Bits per channel of a sample.
  case resolution([UInt16])
  /// The largest magnitude of a channel: g for the acceleration, degrees per second for the gyroscope, gauss for the
  /// magnetometer.
  case range([UInt16])
  /// The largest magnitude of a channel in thousandths of its unit. Polar no longer uses it.
  case rangeThousandths([UInt32])
  /// Channels of a sample.
  case channels([UInt8])
  /// The factor from the integers of a compressed frame to the unit of the measurement, IEEE 754 with 32 bits. It is in the
  /// response to a start, and in no request.
  case factor([Float])

  /// The number of the type.
  package var type: UInt8 {
    switch self {
    case .sampleRate: 0
    case .resolution: 1
    case .range: 2
    case .rangeThousandths: 3
    case .channels: 4
    case .factor: 5
    }
  }

  /// Reads a setting. The size of an unknown type is unknown too, so that nothing after it could be read: it is refused.
  static func decode(_ reader: inout PolarByteReader) throws(GATTDecodingError) -> PolarSetting {
    let offset = reader.offset
    let type = try reader.byte(.settingType)
    guard type <= 5 else { throw .unsupported(field: .settingType, value: type, offset: offset) }
    let count = Int(try reader.byte(.settingCount))
    switch type {
    case 0: return .sampleRate(try integers(count, &reader))
    case 1: return .resolution(try integers(count, &reader))
    case 2: return .range(try integers(count, &reader))
    case 3: return .rangeThousandths(try integers(count, &reader))
    case 4: return .channels(try integers(count, &reader))
    default:
      let patterns: [UInt32] = try integers(count, &reader)
      return .factor(patterns.map { Float(bitPattern: $0) })
    }
  }

  /// Appends the setting to `bytes`, with its first 255 values at most.
  func encode(to bytes: inout [UInt8]) {
    bytes.append(type)
    switch self {
    case .sampleRate(let values), .resolution(let values), .range(let values): Self.append(values, to: &bytes)
    case .rangeThousandths(let values): Self.append(values, to: &bytes)
    case .channels(let values): Self.append(values, to: &bytes)
    case .factor(let values): Self.append(values.map(\.bitPattern), to: &bytes)
    }
  }

  private static func integers<Integer: FixedWidthInteger>(
    _ count: Int, _ reader: inout PolarByteReader
  ) throws(GATTDecodingError) -> [Integer] {
    var values: [Integer] = []
    for _ in 0..<count {
      values.append(Integer(truncatingIfNeeded: try reader.unsigned(Integer.bitWidth / 8, .settingValue)))
    }
    return values
  }

  private static func append<Integer: FixedWidthInteger>(_ values: [Integer], to bytes: inout [UInt8]) {
    let values = values.prefix(Int(UInt8.max))
    bytes.append(UInt8(values.count))
    for value in values { bytes.append(littleEndian: value) }
  }
}
