/// A builder of pcapng files block by block, based on the draft (draft-ietf-opsawg-pcapng) and independent of the reader.
package struct PcapngBuilder {
  /// The kinds of block that carry a packet.
  package enum PacketBlock: CaseIterable {
    case enhanced
    case simple
    case obsolete
  }

  package private(set) var bytes: [UInt8] = []
  private var isBigEndian = false
  private var resolutions: [UInt8] = []
  private var offsets: [Int64] = []

  /// Creates a file without blocks.
  package init() {}

  /// Returns a file of one section with one interface that contains the records.
  package static func file(
    _ records: [CaptureWrapping.Record], linkType: UInt32, isBigEndian: Bool = false, resolution: UInt8 = 6,
    block: PacketBlock = .enhanced
  ) -> [UInt8] {
    var builder = PcapngBuilder()
    builder.section(isBigEndian: isBigEndian)
    builder.interface(linkType: linkType, resolution: resolution)
    for record in records { builder.packet(record, block: block) }
    return builder.bytes
  }

  package mutating func section(isBigEndian: Bool) {
    self.isBigEndian = isBigEndian
    (resolutions, offsets) = ([], [])
    block(0x0A0D_0D0A, word(0x1A2B_3C4D) + half(1) + half(0) + word(.max) + word(.max))
  }

  /// Adds an interface with these bytes as its options. Times are in microseconds, whatever the options say.
  package mutating func interface(linkType: UInt32, options: [UInt8]) {
    resolutions.append(6)
    offsets.append(0)
    block(1, half(UInt16(linkType)) + half(0) + word(0) + options)
  }

  /// Adds an interface. `resolution` and `offset` are the options if_tsresol and if_tsoffset.
  package mutating func interface(linkType: UInt32, resolution: UInt8 = 6, offset: Int64 = 0, snapLength: UInt32 = 0) {
    resolutions.append(resolution)
    offsets.append(offset)
    let time = [UInt8](isBigEndian ? CaptureWrapping.bigEndian(offset) : CaptureWrapping.littleEndian(offset))
    block(
      1,
      half(UInt16(linkType)) + half(0) + word(snapLength) + option(2, Array("hci0".utf8)) + option(9, [resolution])
        + option(14, time) + option(0, []))
  }

  /// Adds a packet. Its direction follows `before` in the options.
  package mutating func packet(
    _ record: CaptureWrapping.Record, interface: Int = 0, block kind: PacketBlock = .enhanced, before: [UInt8] = []
  ) {
    let lengths = word(UInt32(record.data.count)) + word(record.originalLength)
    let data = padded(record.data)
    let ticks = ticks(record.time - offsets[interface] * 1_000_000, resolution: resolutions[interface])
    let time = word(UInt32(ticks >> 32)) + word(UInt32(truncatingIfNeeded: ticks))
    let options = before + (record.isReceived.map { option(2, word($0 ? 1 : 2)) + option(0, []) } ?? [])
    switch kind {
    case .enhanced: block(6, word(UInt32(interface)) + time + lengths + data + options)
    case .simple: block(3, word(record.originalLength) + data)
    case .obsolete: block(2, half(UInt16(interface)) + half(0xFFFF) + time + lengths + data + options)
    }
  }

  /// Adds statistics of an interface: the packets that it and the system dropped since the capture began.
  package mutating func statistics(interface: UInt32, interfaceDrops: UInt64, systemDrops: UInt64) {
    block(
      5,
      word(interface) + word(0) + word(0) + option(5, double(interfaceDrops)) + option(7, double(systemDrops))
        + option(0, []))
  }

  package mutating func block(_ type: UInt32, _ body: [UInt8]) {
    let body = padded(body)
    let length = word(UInt32(body.count + 12))
    bytes += word(type) + length + body + length
  }

  package func option(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
    half(code) + half(UInt16(value.count)) + padded(value)
  }

  package func word(_ value: UInt32) -> [UInt8] {
    isBigEndian ? CaptureWrapping.bigEndian(value) : CaptureWrapping.littleEndian(value)
  }

  package func double(_ value: UInt64) -> [UInt8] {
    isBigEndian ? CaptureWrapping.bigEndian(value) : CaptureWrapping.littleEndian(value)
  }

  package func half(_ value: UInt16) -> [UInt8] {
    isBigEndian ? CaptureWrapping.bigEndian(value) : CaptureWrapping.littleEndian(value)
  }

  private func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + Array(repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  /// Returns the ticks of a time in microseconds: rounded down to decimal units, and up to binary ones, so that reading them
  /// restores whole microseconds.
  private func ticks(_ time: Int64, resolution: UInt8) -> UInt64 {
    let time = UInt64(time)
    if resolution & 0x80 != 0 {
      let scale = UInt64(1) << UInt64(resolution & 0x7F)
      return time / 1_000_000 * scale + (time % 1_000_000 * scale + 999_999) / 1_000_000
    }
    let power: (Int) -> UInt64 = { (0..<max(0, $0)).reduce(1) { power, _ in power * 10 } }
    return time / power(6 - Int(resolution)) * power(Int(resolution) - 6)
  }
}
