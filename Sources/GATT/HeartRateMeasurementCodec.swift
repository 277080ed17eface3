import TachogramCore

/// Heart Rate Measurement, 0x2A37 (Heart Rate Service 1.0, 3.1; GATT Specification Supplement, Heart Rate Measurement).
///
/// Layout, least significant byte first:
///
///     flags            1   bit 0 heart rate is 2 bytes, bit 1 contact detected, bit 2 contact supported,
///                          bit 3 energy expended present, bit 4 RR-Intervals present, bits 5–7 reserved
///     heart rate       1 or 2   beats per minute
///     energy expended  0 or 2   kilojoules since the last reset
///     RR-Intervals     2 each, to the end of the value, the oldest first, ticks of 1/1024 s
public enum HeartRateMeasurementCodec: GATTDecodable {
  @inlinable static var wideRate: UInt8 { 1 << 0 }
  @inlinable static var contactDetected: UInt8 { 1 << 1 }
  @inlinable static var contactSupported: UInt8 { 1 << 2 }
  @inlinable static var energyPresent: UInt8 { 1 << 3 }
  @inlinable static var intervalsPresent: UInt8 { 1 << 4 }

  /// Reads a notification. Reserved flags are ignored, as the specification requires of a client. Contact is `.notSupported`
  /// whenever bit 2 is 0, regardless of bit 1. Bit 4 without any interval is an empty list, which straps send between two
  /// beats.
  public static func decode(_ bytes: ArraySlice<UInt8>) throws(GATTDecodingError) -> HeartRateMeasurement {
    try decode(bytes.span)
  }

  /// Reads a notification without copying it.
  @inlinable
  @inline(__always)
  public static func decode(_ bytes: Span<UInt8>) throws(GATTDecodingError) -> HeartRateMeasurement {
    let count = bytes.count
    guard count > 0 else { throw .empty(field: .flags) }
    let flags = bytes[0]
    var offset = 1

    let rateSize = flags & wideRate == 0 ? 1 : 2
    guard count >= offset + rateSize else {
      throw .truncated(field: .heartRate, offset: offset, needed: rateSize, available: count - offset)
    }
    let heartRate = rateSize == 1 ? UInt16(bytes[offset]) : integer(in: bytes, at: offset)
    offset += rateSize

    var energyExpended: UInt16?
    if flags & energyPresent != 0 {
      guard count >= offset + 2 else {
        throw .truncated(field: .energyExpended, offset: offset, needed: 2, available: count - offset)
      }
      energyExpended = integer(in: bytes, at: offset)
      offset += 2
    }

    var intervals = RRIntervals()
    let remaining = count - offset
    if flags & intervalsPresent != 0 {
      guard remaining.isMultiple(of: 2) else { throw .oddRRByte(offset: count - 1) }
      let inPlace = min(count, offset + 2 * RRIntervals.inPlace)
      while offset < inPlace {
        intervals.append(RRInterval(ticks: integer(in: bytes, at: offset)))
        offset += 2
      }
      if offset < count { intervals.append(ticks: integers(in: bytes, from: offset)) }
    } else if remaining > 0 {
      throw .trailingBytes(offset: offset, count: remaining)
    }
    return HeartRateMeasurement(
      heartRate: heartRate, contact: contact(of: flags), energyExpended: energyExpended, rrIntervals: intervals,
    )
  }

  /// Writes a notification. The heart rate has one byte if it fits and `wideRate` is `false`, else two. The value is not
  /// truncated to the ATT_MTU; this is up to the caller.
  public static func encode(_ measurement: HeartRateMeasurement, wideRate: Bool = false) -> [UInt8] {
    let isWide = wideRate || measurement.heartRate > 0xFF
    var flags: UInt8 = isWide ? Self.wideRate : 0
    switch measurement.contact {
    case .notSupported: break
    case .notDetected: flags |= contactSupported
    case .detected: flags |= contactSupported | contactDetected
    }
    if measurement.energyExpended != nil { flags |= energyPresent }
    if !measurement.rrIntervals.isEmpty { flags |= intervalsPresent }

    var bytes: [UInt8] = []
    bytes.reserveCapacity(5 + 2 * measurement.rrIntervals.count)
    bytes.append(flags)
    bytes.append(UInt8(truncatingIfNeeded: measurement.heartRate))
    if isWide { bytes.append(UInt8(truncatingIfNeeded: measurement.heartRate >> 8)) }
    if let energy = measurement.energyExpended { append(energy, to: &bytes) }
    for interval in measurement.rrIntervals { append(interval.ticks, to: &bytes) }
    return bytes
  }

  // MARK: - Pieces

  @inlinable
  static func contact(of flags: UInt8) -> SensorContact {
    if flags & contactSupported == 0 { return .notSupported }
    return flags & contactDetected == 0 ? .notDetected : .detected
  }

  @inlinable
  static func integer(in bytes: Span<UInt8>, at index: Int) -> UInt16 {
    UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
  }

  /// Returns all remaining integers. This is called only for the few notifications with many intervals.
  @usableFromInline
  @inline(never)
  static func integers(in bytes: Span<UInt8>, from start: Int) -> [UInt16] {
    stride(from: start, to: bytes.count, by: 2).map { integer(in: bytes, at: $0) }
  }

  private static func append(_ integer: UInt16, to bytes: inout [UInt8]) {
    bytes.append(UInt8(truncatingIfNeeded: integer))
    bytes.append(UInt8(truncatingIfNeeded: integer >> 8))
  }
}
