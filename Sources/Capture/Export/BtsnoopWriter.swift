/// A writer of btsnoop with datalink 1002 (HCI H4).
struct BtsnoopWriter {
  /// The file header, 16 bytes.
  static let header: [UInt8] = BtsnoopFraming.magic + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]

  /// Returns the record of an H4 packet at `time`, in microseconds since 1970. `drops` is the cumulative count of dropped
  /// packets.
  static func record(_ packet: [UInt8], isReceived: Bool, time: Int64, drops: UInt32) -> [UInt8] {
    let isCommandOrEvent =
      packet.first == HCIPacketKind.command.rawValue || packet.first == HCIPacketKind.event.rawValue
    var record: [UInt8] = []
    record.reserveCapacity(24 + packet.count)
    append(UInt32(packet.count), to: &record)
    append(UInt32(packet.count), to: &record)
    append((isReceived ? 1 : 0) | (isCommandOrEvent ? 2 : 0), to: &record)
    append(drops, to: &record)
    let stamp = UInt64(bitPattern: time &+ BtsnoopFraming.epoch)
    append(UInt32(truncatingIfNeeded: stamp >> 32), to: &record)
    append(UInt32(truncatingIfNeeded: stamp), to: &record)
    record += packet
    return record
  }

  private static func append(_ word: UInt32, to bytes: inout [UInt8]) {
    for shift in stride(from: 24, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(shift))) }
  }
}
