/// Apple PacketLogger: a 4-byte length of what follows, 8 bytes of time, a type byte and the HCI packet without H4 type. Older
/// files are big-endian, newer ones little-endian. The file has no header, so the byte order is detected from its records.
struct PacketLoggerFraming: CaptureFraming {
  /// The number of bytes of a file that `init(firstBytes:)` searches.
  static let searched = 1 << 17
  private static let recordHeaderLength = 13
  /// The number of consecutive consistent records that is required where the file begins with damage.
  private static let convincing = 3

  private let isBigEndian: Bool

  /// Detects the byte order by a record at the start of the bytes or, if the start is damaged, by several consecutive records
  /// after it. Returns `nil` if neither byte order fits.
  init?(firstBytes bytes: Span<UInt8>) {
    let candidates = [PacketLoggerFraming(isBigEndian: true), PacketLoggerFraming(isBigEndian: false)]
    for candidate in candidates {
      guard let first = candidate.header(of: bytes) else { continue }
      let rest = bytes.extracting(droppingFirst: first.length)
      if rest.count < Self.recordHeaderLength || candidate.header(of: rest) != nil
        || candidate.isConsistent(bytes.extracting(first: first.length))
      {
        self = candidate
        return
      }
    }
    for start in 0..<bytes.count {
      let rest = bytes.extracting(droppingFirst: start)
      if let found = candidates.first(where: { $0.hasConvincingRun(rest) }) {
        self = found
        return
      }
    }
    return nil
  }

  private init(isBigEndian: Bool) {
    self.isBigEndian = isBigEndian
  }

  private func hasConvincingRun(_ bytes: Span<UInt8>) -> Bool {
    var position = 0
    for _ in 0..<Self.convincing {
      let rest = bytes.extracting(droppingFirst: position)
      guard let header = header(of: rest), header.length <= rest.count,
        isConsistent(rest.extracting(first: header.length))
      else { return false }
      position += header.length
    }
    return true
  }

  static var hasLengthAtEnd: Bool { false }

  var headerLength: Int { Self.recordHeaderLength }

  func header(of bytes: Span<UInt8>) -> RecordHeader? {
    guard let length = word(bytes, at: 0), length >= 9, length <= FramingLimit.packet,
      let type = bytes.byte(at: 12), Self.isKnown(type), let time = time(of: bytes)
    else { return nil }
    return RecordHeader(length: 4 + Int(length), time: FramingLimit.time(time))
  }

  func isConsistent(_ record: Span<UInt8>) -> Bool {
    guard let (kind, _) = record.byte(at: 12).flatMap(Self.packet) else { return false }
    return kind.bodyLength(record, at: Self.recordHeaderLength) == record.count - Self.recordHeaderLength
  }

  mutating func accept(_ record: Span<UInt8>, at offset: UInt64) -> FramedRecord {
    guard let time = time(of: record), let type = record.byte(at: 12) else {
      return .damaged("record without a header")
    }
    let data = Self.recordHeaderLength..<record.count
    guard let (kind, isReceived) = Self.packet(type) else {
      return .packet(CaptureRecord(offset: offset, time: FramingLimit.time(time), link: .note, data: data))
    }
    return .packet(
      CaptureRecord(
        offset: offset, time: FramingLimit.time(time), link: .hciBody(kind), flags: isReceived ? 1 : 0,
        hasDirection: true, data: data))
  }

  /// Returns the kind and the direction of a PacketLogger type, or `nil` for notes, keys and other types without a packet.
  private static func packet(_ type: UInt8) -> (HCIPacketKind, isReceived: Bool)? {
    switch type {
    case 0x00: (.command, false)
    case 0x01: (.event, true)
    case 0x02: (.acl, false)
    case 0x03: (.acl, true)
    case 0x08: (.sco, false)
    case 0x09: (.sco, true)
    default: nil
    }
  }

  private static func isKnown(_ type: UInt8) -> Bool {
    packet(type) != nil || type >= 0xF0 || (0x0A...0x0F).contains(type)
  }

  private func time(of bytes: Span<UInt8>) -> Int64? {
    // Big-endian files have seconds, then microseconds. Little-endian files have the same order or, in a 64-bit number, the
    // reverse.
    guard let first = word(bytes, at: 4), let second = word(bytes, at: 8) else { return nil }
    let (seconds, microseconds) = isBigEndian || second < 1_000_000 ? (first, second) : (second, first)
    guard microseconds < 1_000_000 else { return nil }
    return Int64(seconds) * 1_000_000 + Int64(microseconds)
  }

  private func word(_ bytes: Span<UInt8>, at offset: Int) -> UInt32? {
    isBigEndian ? bytes.bigEndian32(at: offset) : bytes.littleEndian32(at: offset)
  }
}
