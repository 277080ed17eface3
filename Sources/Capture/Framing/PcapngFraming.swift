/// pcapng: blocks with their length at both ends, in sections that each have a byte order and interfaces.
struct PcapngFraming: CaptureFraming {
  private static let sectionHeader: UInt32 = 0x0A0D_0D0A
  /// The largest accepted block, in bytes.
  private static let largestBlock = 1 << 22
  /// The largest accepted packet block, in bytes: the largest packet, the 28 bytes before and the length after it, and room for
  /// options.
  private static let largestPacketBlock = FramingLimit.packet + 4096

  private var isBigEndian = false
  private var interfaces: [PcapngInterface] = []

  /// Detects the byte order by the first bytes of a file, or returns `nil` if it is not pcapng. Either the type of the first
  /// block or its byte-order magic may be damaged.
  init?(firstBytes bytes: Span<UInt8>) {
    let declared = Self.declaredOrder(ofSection: bytes)
    guard bytes.littleEndian32(at: 0) == Self.sectionHeader || declared != nil else { return nil }
    isBigEndian = declared ?? false
  }

  static var hasLengthAtEnd: Bool { true }

  var headerLength: Int { 20 }

  func header(of bytes: Span<UInt8>) -> RecordHeader? {
    guard let type = word(bytes, at: 0) else { return nil }
    let length: Int?
    switch type {
    case Self.sectionHeader:
      length = Self.byteOrder(ofSection: bytes).flatMap {
        blockLength(bytes, bigEndian: $0, in: 28...Self.largestBlock)
      }
    case 1: length = blockLength(bytes, bigEndian: isBigEndian, in: 20...Self.largestBlock)
    case 2, 6: length = blockLength(bytes, bigEndian: isBigEndian, in: 32...Self.largestPacketBlock)
    case 3: length = blockLength(bytes, bigEndian: isBigEndian, in: 16...Self.largestPacketBlock)
    case 4...0x20, 0xBAD, 0x4000_0BAD, 0x8000_0000...:
      length = blockLength(bytes, bigEndian: isBigEndian, in: 12...Self.largestBlock)
    default: length = nil
    }
    return length.map { RecordHeader(length: $0, time: time(of: bytes, type: type)) }
  }

  func isConsistent(_ record: Span<UInt8>) -> Bool {
    let order =
      word(record, at: 0) == Self.sectionHeader ? Self.byteOrder(ofSection: record) ?? isBigEndian : isBigEndian
    let end = record.count - 4
    return (order ? record.bigEndian32(at: end) : record.littleEndian32(at: end)) == UInt32(record.count)
  }

  mutating func accept(_ record: Span<UInt8>, at offset: UInt64) -> FramedRecord {
    switch word(record, at: 0) {
    case Self.sectionHeader:
      isBigEndian = Self.byteOrder(ofSection: record) ?? isBigEndian
      interfaces = []
      return Self.declaredOrder(ofSection: record) == isBigEndian
        ? .structure() : .damaged("byte-order magic that contradicts the length")
    case 1:
      interfaces.append(
        PcapngInterface(description: record.extracting(8..<(record.count - 4)), isBigEndian: isBigEndian))
      return .structure()
    case 2:
      // The obsolete Packet Block: a 16-bit interface and a count of drops where the enhanced one has 32 bits.
      return packet(
        record, interface: half(record, at: 8).map(Int.init), drops: half(record, at: 10).map(UInt64.init),
        offset: offset)
    case 3:
      // A Simple Packet Block has neither a time nor a direction.
      guard let interface = interfaces.first, let original = word(record, at: 8) else {
        return .damaged("packet of an interface that was not described")
      }
      let length = min(Int(original), interface.snapLength, record.count - 16)
      return .packet(CaptureRecord(offset: offset, time: nil, link: interface.link, data: 12..<(12 + length)))
    case 5:
      return .structure(dropped: statistics(record))
    case 6:
      return packet(record, interface: word(record, at: 8).map(Int.init), drops: nil, offset: offset)
    default:
      return .structure()
    }
  }

  /// Reads a packet block. `drops` is the number of drops since the previous packet if the block itself reports it; 0xFFFF
  /// means an unknown number.
  private mutating func packet(
    _ record: Span<UInt8>, interface number: Int?, drops: UInt64?, offset: UInt64
  ) -> FramedRecord {
    guard let number, interfaces.indices.contains(number) else {
      return .damaged("packet of an interface that was not described")
    }
    guard let time = interfaces[number].microseconds(ticks: ticks(record)) else {
      return .damaged("packet of a time that no clock shows")
    }
    guard let captured = word(record, at: 20), Int(captured) <= record.count - 32 else {
      return .damaged("packet longer than its block")
    }
    let data = 28..<(28 + Int(captured))
    let options = record.extracting(min(28 + (Int(captured) + 3) / 4 * 4, record.count - 4)..<(record.count - 4))
    // In epb_flags (2), the lowest two bits are 1 for received and 2 for sent.
    let said = option(2, of: options, length: 4).flatMap { word(options, at: $0) }.map { $0 & 3 } ?? 0
    let known = drops.flatMap { $0 == 0xFFFF ? nil : $0 }
    let count = known ?? option(4, of: options, length: 8).flatMap { double(options, at: $0) } ?? 0
    return .packet(
      CaptureRecord(
        offset: offset, time: FramingLimit.time(time), link: interfaces[number].link, flags: said == 1 ? 1 : 0,
        hasDirection: said == 1 || said == 2, data: data,
        dropped: count > 0 ? interfaces[number].drops.add(count) : 0))
  }

  /// Returns the number of drops that an Interface Statistics Block adds, from its options isb_ifdrop (5) and isb_osdrop (7).
  private mutating func statistics(_ record: Span<UInt8>) -> UInt64 {
    guard let number = word(record, at: 8).map(Int.init), interfaces.indices.contains(number), record.count >= 24 else {
      return 0
    }
    let options = record.extracting(20..<(record.count - 4))
    let counts = [5, 7].compactMap { option($0, of: options, length: 8).flatMap { double(options, at: $0) } }
    return interfaces[number].drops.raise(to: counts.reduce(0) { $0.addingClamped($1) })
  }

  /// Returns the offset of the value of an option with this length, or `nil` if there is no such option.
  private func option(_ wanted: UInt16, of options: Span<UInt8>, length expected: UInt16) -> Int? {
    var position = 0
    while let code = half(options, at: position), let length = half(options, at: position + 2), code != 0 {
      if code == wanted, length == expected { return position + 4 }
      position += 4 + (Int(length) + 3) / 4 * 4
    }
    return nil
  }

  // MARK: - Headers

  /// Whether a section header declares big-endian order, or `nil` if its magic is damaged.
  private static func declaredOrder(ofSection bytes: Span<UInt8>) -> Bool? {
    switch bytes.littleEndian32(at: 8) {
    case 0x1A2B_3C4D: false
    case 0x4D3C_2B1A: true
    default: nil
    }
  }

  /// Whether a section is big-endian: by its declaration or, if the length is impossible in that byte order, by the length.
  /// `nil` if the length is impossible in both.
  private static func byteOrder(ofSection bytes: Span<UInt8>) -> Bool? {
    guard let length = bytes.littleEndian32(at: 4) else { return nil }
    let fits: (UInt32) -> Bool = { $0 >= 28 && $0 % 4 == 0 && $0 <= largestBlock }
    let order = declaredOrder(ofSection: bytes) ?? false
    if fits(order ? length.byteSwapped : length) { return order }
    return fits(order ? length : length.byteSwapped) ? !order : nil
  }

  private func blockLength(_ bytes: Span<UInt8>, bigEndian: Bool, in lengths: ClosedRange<Int>) -> Int? {
    guard let total = bigEndian ? bytes.bigEndian32(at: 4) : bytes.littleEndian32(at: 4) else { return nil }
    return total % 4 == 0 && lengths.contains(Int(total)) ? Int(total) : nil
  }

  /// Returns the capture time of the packet in a block, or `nil` if the header does not contain it.
  private func time(of bytes: Span<UInt8>, type: UInt32) -> Int64? {
    guard type == 6 || type == 2, bytes.count >= headerLength,
      let number = type == 6 ? word(bytes, at: 8).map(Int.init) : half(bytes, at: 8).map(Int.init),
      interfaces.indices.contains(number)
    else { return nil }
    return interfaces[number].microseconds(ticks: ticks(bytes)).flatMap(FramingLimit.time)
  }

  private func ticks(_ bytes: Span<UInt8>) -> UInt64 {
    UInt64(word(bytes, at: 12) ?? 0) << 32 | UInt64(word(bytes, at: 16) ?? 0)
  }

  private func word(_ bytes: Span<UInt8>, at offset: Int) -> UInt32? {
    isBigEndian ? bytes.bigEndian32(at: offset) : bytes.littleEndian32(at: offset)
  }

  private func double(_ bytes: Span<UInt8>, at offset: Int) -> UInt64? {
    guard let first = word(bytes, at: offset), let second = word(bytes, at: offset + 4) else { return nil }
    return isBigEndian ? UInt64(first) << 32 | UInt64(second) : UInt64(second) << 32 | UInt64(first)
  }

  private func half(_ bytes: Span<UInt8>, at offset: Int) -> UInt16? {
    isBigEndian ? bytes.bigEndian16(at: offset) : bytes.littleEndian16(at: offset)
  }
}
