/// Classic pcap: 16-byte record headers in the byte order of the file.
struct PcapFraming: CaptureFraming {
  static let fileHeaderLength = 24
  private static let recordHeaderLength = 16
  /// The magic numbers in the byte order of the file, for microseconds and for nanoseconds.
  private static let magics: [(number: UInt32, isNanoseconds: Bool)] = [(0xa1b2_c3d4, false), (0xa1b2_3c4d, true)]
  /// The most damaged bits in a magic number, which are accepted only if the version is 2.4.
  private static let toleratedBits = 4

  private let link: LinkType
  private let isBigEndian: Bool
  private let isNanoseconds: Bool
  /// Whether the magic number had damaged bits.
  let isDamaged: Bool

  /// Reads the file header, or returns `nil` if it is not a pcap header.
  init?(fileHeader bytes: Span<UInt8>) {
    guard let magic = bytes.littleEndian32(at: 0), let network = bytes.littleEndian32(at: 20) else { return nil }
    var best: (distance: Int, isBigEndian: Bool, isNanoseconds: Bool)?
    for (number, isNanoseconds) in Self.magics {
      for isBigEndian in [false, true] {
        let distance = (magic ^ (isBigEndian ? number.byteSwapped : number)).nonzeroBitCount
        if distance < best?.distance ?? .max { best = (distance, isBigEndian, isNanoseconds) }
      }
    }
    guard let best, best.distance <= Self.toleratedBits else { return nil }
    (isBigEndian, isNanoseconds, isDamaged) = (best.isBigEndian, best.isNanoseconds, best.distance > 0)
    let version: [UInt8] = isBigEndian ? [0, 2, 0, 4] : [2, 0, 4, 0]
    if isDamaged, !bytes.extracting(4..<8).equals(version) { return nil }
    // The upper bits of the field announce a frame check sequence; the link type is in the lower 26 (draft-ietf-opsawg-pcap).
    link = LinkType(pcap: (isBigEndian ? network.byteSwapped : network) & 0x03FF_FFFF)
  }

  /// Whether a file with these first bytes is pcap, even if it ends within the file header.
  static func isMagic(_ start: Span<UInt8>) -> Bool {
    guard let magic = start.littleEndian32(at: 0) else { return false }
    return magics.contains { magic == $0.number || magic == $0.number.byteSwapped }
  }

  static var hasLengthAtEnd: Bool { false }

  var headerLength: Int { Self.recordHeaderLength }

  func header(of bytes: Span<UInt8>) -> RecordHeader? {
    guard let included = word(bytes, at: 8), let original = word(bytes, at: 12), included > 0, included <= original,
      original <= FramingLimit.packet, let time = time(of: bytes)
    else { return nil }
    return RecordHeader(length: Self.recordHeaderLength + Int(included), time: FramingLimit.time(time))
  }

  func isConsistent(_ record: Span<UInt8>) -> Bool {
    guard let fraction = word(record, at: 4), fraction < (isNanoseconds ? 1_000_000_000 : 1_000_000),
      word(record, at: 8) == word(record, at: 12)
    else { return false }
    let data = record.extracting(droppingFirst: Self.recordHeaderLength)
    return RecordUnwrapper.packet(data, link: link, flags: 0, hasDirection: false).fills(data)
  }

  mutating func accept(_ record: Span<UInt8>, at offset: UInt64) -> FramedRecord {
    guard let time = time(of: record) else { return .damaged("record without a header") }
    return .packet(
      CaptureRecord(
        offset: offset, time: FramingLimit.time(time), link: link, data: Self.recordHeaderLength..<record.count))
  }

  /// Returns microseconds since 1970. Some writers use fractions above a second, which are carried over.
  private func time(of bytes: Span<UInt8>) -> Int64? {
    guard let seconds = word(bytes, at: 0), let fraction = word(bytes, at: 4), fraction <= UInt32(Int32.max) else {
      return nil
    }
    return Int64(seconds) * 1_000_000 + Int64(isNanoseconds ? fraction / 1000 : fraction)
  }

  private func word(_ bytes: Span<UInt8>, at offset: Int) -> UInt32? {
    isBigEndian ? bytes.bigEndian32(at: offset) : bytes.littleEndian32(at: offset)
  }
}
