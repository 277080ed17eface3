import GATT
import TachogramCore

/// Values of characteristics. Decoded values are encoded to the same bytes, and errors point into the value.
enum CharacteristicsFuzz {
  static func run(_ bytes: [UInt8]) throws -> Bool {
    try heartRate(bytes)
    try identity(BatteryLevel.self, bytes) { BatteryLevel.encode($0) }
    try identity(BodySensorLocation.self, bytes) { BodySensorLocation.encode($0) }
    if let text = try? DeviceInformationString.decode(bytes) {
      let encoded = DeviceInformationString.encode(text)
      try FuzzFinding.unless(bytes.starts(with: encoded), "a string that begins otherwise: \(encoded)")
    }
    for company in [PolarBroadcast.company, HuamiBroadcast.company] {
      guard let broadcast = HeartRateBroadcast(manufacturerData: [company: bytes]) else { continue }
      try FuzzFinding.unless(bytes.contains(broadcast.heartRate), "a heart rate from nowhere: \(broadcast)")
    }
    return true
  }

  private static func heartRate(_ bytes: [UInt8]) throws {
    let measurement: HeartRateMeasurement
    do {
      measurement = try HeartRateMeasurementCodec.decode(bytes)
    } catch {
      return try errorPointsInside(error, bytes)
    }
    let encoded = HeartRateMeasurementCodec.encode(measurement, wideRate: bytes[0] & 1 != 0)
    try FuzzFinding.unless(
      encoded == [canonicalFlags(bytes[0], measurement)] + bytes.dropFirst(), "\(bytes) was encoded as \(encoded)")
    try FuzzFinding.unless(
      try HeartRateMeasurementCodec.decode(encoded) == measurement, "\(encoded) is not what \(bytes) is")
    let ticks = measurement.rrIntervals.reduce(0) { $0 + Int64($1.ticks) }
    try FuzzFinding.unless(measurement.rrIntervals.ticks == ticks, "the sum of the intervals of \(bytes)")
  }

  /// Returns the flags without meaningless bits: reserved bits, contact if it is not supported, and intervals if there are
  /// none.
  private static func canonicalFlags(_ flags: UInt8, _ measurement: HeartRateMeasurement) -> UInt8 {
    var flags = flags & 0x1F
    if flags & 0x04 == 0 { flags &= ~0x02 }
    if measurement.rrIntervals.isEmpty { flags &= ~0x10 }
    return flags
  }

  private static func errorPointsInside(_ error: GATTDecodingError, _ bytes: [UInt8]) throws {
    let isInside =
      switch error {
      case .empty: bytes.isEmpty
      case .truncated(_, let offset, let needed, let available):
        offset + available == bytes.count && available < needed
      case .oddRRByte(let offset): offset == bytes.count - 1
      case .trailingBytes(let offset, let count): offset + count == bytes.count && count > 0
      case .reserved, .invalidUTF8, .unsupported, .tooLong: false
      }
    try FuzzFinding.unless(isInside && !error.description.isEmpty, "\(bytes) was refused with \(error)")
  }

  private static func identity<Codec: GATTDecodable>(
    _ codec: Codec.Type, _ bytes: [UInt8], _ encode: (Codec.Value) -> [UInt8]
  ) throws {
    guard let value = try? codec.decode(bytes) else { return }
    try FuzzFinding.unless(encode(value) == bytes, "\(bytes) was encoded as \(encode(value))")
  }
}
