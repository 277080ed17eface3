/// Wraps packets in the capture formats, written from the formats' descriptions and apart from the readers.
enum CaptureWrapping {
  static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  // MARK: - btsnoop

  static func btsnoop(_ script: PacketScript, datalink: UInt32, unixEpoch: Bool = false) -> [UInt8] {
    var file = Array("btsnoop\0".utf8) + bigEndian(UInt32(1)) + bigEndian(datalink)
    for packet in script.packets {
      var data = packet.bytes
      let type = data[0]
      var flags: UInt32 = packet.isReceived ? 1 : 0
      if type == 4 || type == 1 { flags |= 2 }
      switch datalink {
      case 1001: data.removeFirst()
      case 2001:
        data.removeFirst()
        flags = type == 4 ? 3 : type == 1 ? 2 : packet.isReceived ? 5 : 4
      default: break
      }
      let time = packet.time + (unixEpoch ? 0 : 0x00dc_ddb3_0f2f_8000)
      file += bigEndian(UInt32(data.count)) + bigEndian(UInt32(data.count)) + bigEndian(flags) + bigEndian(UInt32(0))
      file += bigEndian(time) + data
    }
    return file
  }

  // MARK: - pcap and pcapng

  /// The data of a record for a link type.
  static func record(_ packet: PacketScript.Packet, linkType: UInt32) -> [UInt8] {
    switch linkType {
    case 201: return bigEndian(UInt32(packet.isReceived ? 1 : 0)) + packet.bytes
    case 254:
      let opcode: UInt16 = packet.bytes[0] == 4 ? 3 : packet.bytes[0] == 1 ? 2 : packet.isReceived ? 5 : 4
      return bigEndian(UInt16(0)) + bigEndian(opcode) + packet.bytes.dropFirst()
    default: return packet.bytes
    }
  }

  static func pcap(_ script: PacketScript, linkType: UInt32, isBigEndian: Bool, isNanoseconds: Bool) -> [UInt8] {
    let word: (UInt32) -> [UInt8] = { isBigEndian ? bigEndian($0) : littleEndian($0) }
    let half: (UInt16) -> [UInt8] = { isBigEndian ? bigEndian($0) : littleEndian($0) }
    var file = word(isNanoseconds ? 0xa1b2_3c4d : 0xa1b2_c3d4) + half(2) + half(4)
    file += word(0) + word(0) + word(65_535) + word(linkType)
    for packet in script.packets {
      let data = record(packet, linkType: linkType)
      let fraction = UInt32(packet.time % 1_000_000) * (isNanoseconds ? 1000 : 1)
      file += word(UInt32(packet.time / 1_000_000)) + word(fraction) + word(UInt32(data.count)) + word(UInt32(data.count))
      file += data
    }
    return file
  }

  /// One section with one interface; `resolution` is the option if_tsresol.
  static func pcapng(_ script: PacketScript, linkType: UInt32, isBigEndian: Bool, resolution: UInt8) -> [UInt8] {
    let word: (UInt32) -> [UInt8] = { isBigEndian ? bigEndian($0) : littleEndian($0) }
    let half: (UInt16) -> [UInt8] = { isBigEndian ? bigEndian($0) : littleEndian($0) }
    func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
      let padded = body + Array(repeating: 0, count: (4 - body.count % 4) % 4)
      let length = word(UInt32(padded.count + 12))
      return word(type) + length + padded + length
    }
    var file = block(0x0A0D_0D0A, word(0x1A2B_3C4D) + half(1) + half(0) + word(.max) + word(.max))
    file += block(
      1, half(UInt16(linkType)) + half(0) + word(0) + half(9) + half(1) + [resolution, 0, 0, 0] + half(0) + half(0))
    for packet in script.packets {
      let data = record(packet, linkType: linkType)
      let ticks: UInt64
      if resolution & 0x80 != 0 {
        let scale = UInt64(1) << UInt64(resolution & 0x7F)
        let time = UInt64(packet.time)
        // Rounded up, so that reading it back in whole microseconds gives the same time.
        ticks = time / 1_000_000 * scale + (time % 1_000_000 * scale + 999_999) / 1_000_000
      } else {
        ticks = (6..<max(6, Int(resolution))).reduce(UInt64(packet.time)) { ticks, _ in ticks * 10 }
      }
      let padding = Array(repeating: UInt8(0), count: (4 - data.count % 4) % 4)
      file += block(
        6,
        word(0) + word(UInt32(ticks >> 32)) + word(UInt32(truncatingIfNeeded: ticks)) + word(UInt32(data.count))
          + word(UInt32(data.count)) + data + padding + half(2) + half(4) + word(packet.isReceived ? 1 : 2) + half(0)
          + half(0))
    }
    return file
  }

  // MARK: - PacketLogger

  static func packetLogger(_ script: PacketScript, isBigEndian: Bool) -> [UInt8] {
    let word: (UInt32) -> [UInt8] = { isBigEndian ? bigEndian($0) : littleEndian($0) }
    var file: [UInt8] = []
    for packet in script.packets {
      let type: UInt8 = packet.bytes[0] == 4 ? 1 : packet.bytes[0] == 1 ? 0 : packet.isReceived ? 3 : 2
      let data = packet.bytes.dropFirst()
      file += word(UInt32(data.count + 9)) + word(UInt32(packet.time / 1_000_000)) + word(UInt32(packet.time % 1_000_000))
      file += [type] + data
    }
    return file
  }
}
