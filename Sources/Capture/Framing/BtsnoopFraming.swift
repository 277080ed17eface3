/// btsnoop: 24-byte big-endian record headers, timestamps in microseconds since the year 0.
struct BtsnoopFraming: CaptureFraming {
  static let fileHeaderLength = 16
  static let magic: [UInt8] = Array("btsnoop\0".utf8)
  /// The btsnoop timestamp of 1970-01-01T00:00:00Z.
  static let epoch: Int64 = 0x00dc_ddb3_0f2f_8000
  private static let recordHeaderLength = 24

  private let link: LinkType
  private var drops = DropCounter()

  init(link: LinkType) {
    self.link = link
  }

  /// Whether a file with these first bytes is btsnoop. Up to two bytes of the magic number may be damaged.
  static func isMagic(_ start: Span<UInt8>) -> Bool {
    (0..<min(start.count, magic.count)).count { start[$0] == magic[$0] } >= magic.count - 2
  }

  static var hasLengthAtEnd: Bool { false }

  var headerLength: Int { Self.recordHeaderLength }

  @inline(__always)
  func header(of bytes: Span<UInt8>) -> RecordHeader? {
    // With this check, the compiler can omit the bounds checks of the single fields.
    guard bytes.count >= Self.recordHeaderLength else { return nil }
    guard let original = bytes.bigEndian32(at: 0), let included = bytes.bigEndian32(at: 4),
      included <= original, original <= FramingLimit.packet,
      let flags = bytes.bigEndian32(at: 8), isPossible(flags: flags, length: included),
      let time = Self.time(of: bytes)
    else { return nil }
    return RecordHeader(length: Self.recordHeaderLength + Int(included), time: FramingLimit.time(time))
  }

  /// Whether a record can have these flags with this length. Packets are never empty.
  @inline(__always)
  private func isPossible(flags: UInt32, length: UInt32) -> Bool {
    link == .linuxMonitor
      ? MonitorOpcode.isPossible(UInt16(truncatingIfNeeded: flags), length: Int(length)) : flags <= 3 && length > 0
  }

  @inline(__always)
  func isConsistent(_ record: Span<UInt8>) -> Bool {
    guard record.count >= Self.recordHeaderLength else { return false }
    guard let original = record.bigEndian32(at: 0), let included = record.bigEndian32(at: 4),
      let flags = record.bigEndian32(at: 8), original == included
    else { return false }
    let data = record.extracting(droppingFirst: Self.recordHeaderLength)
    return RecordUnwrapper.packet(data, link: link, flags: flags, hasDirection: false).fills(data)
  }

  @inline(__always)
  mutating func accept(_ record: Span<UInt8>, at offset: UInt64) -> FramedRecord {
    guard let flags = record.bigEndian32(at: 8), let count = record.bigEndian32(at: 12),
      let time = Self.time(of: record)
    else {
      return .damaged("record without a header")
    }
    let drops = drops.advance(to: count)
    return .packet(
      CaptureRecord(
        offset: offset, time: FramingLimit.time(time), link: link, flags: flags, hasDirection: link != .linuxMonitor,
        data: Self.recordHeaderLength..<record.count, dropped: drops.dropped, isDropCounterReset: drops.isReset))
  }

  /// Returns microseconds since 1970, or `nil` if the time is out of range. Some writers count from 1970 instead of the year 0,
  /// so a timestamp that would be before 1970 is used unchanged.
  @inline(__always)
  private static func time(of bytes: Span<UInt8>) -> Int64? {
    guard let raw = bytes.bigEndian64(at: 16).map(Int64.init(bitPattern:)) else { return nil }
    let time = raw < epoch ? raw : raw - epoch
    return (0...FramingLimit.latest).contains(time) ? time : nil
  }
}
