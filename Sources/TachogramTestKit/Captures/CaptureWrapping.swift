/// A writer of the capture formats, based on the formats' descriptions and independent of the readers.
package enum CaptureWrapping {
  /// A record, with data already in the wrapping of its link type.
  package struct Record {
    package var data: [UInt8]
    /// Microseconds since 1970.
    package var time: Int64
    /// The flags of a btsnoop record.
    package var flags: UInt32
    /// Whether the packet was received, or `nil` if the container has no direction.
    package var isReceived: Bool?
    /// The length of the packet before the capture truncated it, or `nil` if it is complete.
    package var original: UInt32?
    /// The number of packets dropped since the first record, in btsnoop.
    package var drops: UInt32 = 0

    package init(
      data: [UInt8], time: Int64, flags: UInt32 = 0, isReceived: Bool? = nil, original: UInt32? = nil
    ) {
      (self.data, self.time, self.flags) = (data, time, flags)
      (self.isReceived, self.original) = (isReceived, original)
    }

    package var originalLength: UInt32 { original ?? UInt32(data.count) }
  }

  package static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  package static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  // MARK: - btsnoop

  package static func btsnoop(_ script: PacketScript, datalink: UInt32 = 1002, unixEpoch: Bool = false) -> [UInt8] {
    btsnoop(script.packets.map { btsnoopRecord($0, datalink: datalink) }, datalink: datalink, unixEpoch: unixEpoch)
  }

  package static func btsnoop(_ records: [Record], datalink: UInt32 = 1002, unixEpoch: Bool = false) -> [UInt8] {
    var file = Array("btsnoop\0".utf8) + bigEndian(UInt32(1)) + bigEndian(datalink)
    for record in records {
      let time = record.time + (unixEpoch ? 0 : 0x00dc_ddb3_0f2f_8000)
      file += bigEndian(record.originalLength) + bigEndian(UInt32(record.data.count))
      file += bigEndian(record.flags) + bigEndian(record.drops) + bigEndian(time) + record.data
    }
    return file
  }

  package static func btsnoopRecord(_ packet: PacketScript.Packet, datalink: UInt32 = 1002) -> Record {
    let type = packet.bytes[0]
    let flags: UInt32 = (packet.isReceived ? 1 : 0) | (type == 4 || type == 1 ? 2 : 0)
    switch datalink {
    case 1001: return Record(data: Array(packet.bytes.dropFirst()), time: packet.time, flags: flags)
    case 2001:
      return Record(
        data: Array(packet.bytes.dropFirst()), time: packet.time,
        flags: UInt32(packet.adapter) << 16 | UInt32(monitorOpcode(packet)))
    default: return Record(data: packet.bytes, time: packet.time, flags: flags)
    }
  }

  private static func monitorOpcode(_ packet: PacketScript.Packet) -> UInt16 {
    packet.bytes[0] == 4 ? 3 : packet.bytes[0] == 1 ? 2 : packet.isReceived ? 5 : 4
  }

  // MARK: - pcap

  /// Returns the records of a script for a link type of pcap and pcapng.
  package static func records(_ script: PacketScript, linkType: UInt32) -> [Record] {
    script.packets.map { packet in
      let data: [UInt8] =
        switch linkType {
        case 201: bigEndian(UInt32(packet.isReceived ? 1 : 0)) + packet.bytes
        case 254: bigEndian(packet.adapter) + bigEndian(monitorOpcode(packet)) + packet.bytes.dropFirst()
        default: packet.bytes
        }
      return Record(data: data, time: packet.time, isReceived: packet.isReceived)
    }
  }

  package static func pcap(
    _ records: [Record], linkType: UInt32, isBigEndian: Bool = false, isNanoseconds: Bool = false
  ) -> [UInt8] {
    let word: (UInt32) -> [UInt8] = { isBigEndian ? bigEndian($0) : littleEndian($0) }
    let half: (UInt16) -> [UInt8] = { isBigEndian ? bigEndian($0) : littleEndian($0) }
    var file = word(isNanoseconds ? 0xa1b2_3c4d : 0xa1b2_c3d4) + half(2) + half(4)
    file += word(0) + word(0) + word(65_535) + word(linkType)
    for record in records {
      let fraction = UInt32(record.time % 1_000_000) * (isNanoseconds ? 1000 : 1)
      file += word(UInt32(record.time / 1_000_000)) + word(fraction)
      file += word(UInt32(record.data.count)) + word(record.originalLength) + record.data
    }
    return file
  }

  // MARK: - PacketLogger

  /// Returns a PacketLogger file. Big-endian files have seconds before microseconds. Little-endian files have one 64-bit number
  /// with the seconds in its upper half or, from other writers, the same two words in the order of the big-endian ones.
  package static func packetLogger(_ script: PacketScript, isBigEndian: Bool, isSecondsFirst: Bool) -> [UInt8] {
    let word: (UInt32) -> [UInt8] = { isBigEndian ? bigEndian($0) : littleEndian($0) }
    var file: [UInt8] = []
    for packet in script.packets {
      let type: UInt8 = packet.bytes[0] == 4 ? 1 : packet.bytes[0] == 1 ? 0 : packet.isReceived ? 3 : 2
      let data = packet.bytes.dropFirst()
      let (seconds, microseconds) = (UInt32(packet.time / 1_000_000), UInt32(packet.time % 1_000_000))
      file += word(UInt32(data.count + 9))
      file += isSecondsFirst ? word(seconds) + word(microseconds) : word(microseconds) + word(seconds)
      file += [type] + data
    }
    return file
  }
}
