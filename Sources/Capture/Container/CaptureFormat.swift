/// The capture file formats that are read.
package enum CaptureFormat: String, Hashable, Sendable, CaseIterable {
  /// btsnoop (RFC 1761 layout), as Android, BlueZ `btmon -w` and this program write it.
  case btsnoop
  /// Classic pcap, both byte orders, microseconds or nanoseconds.
  case pcap
  /// pcapng (draft-ietf-opsawg-pcapng).
  case pcapng
  /// Apple PacketLogger.
  case packetLogger

  /// The format that the first bytes of a file name; `nil` where they name none, as those of PacketLogger.
  package init?(firstBytes: Span<UInt8>) {
    if BtsnoopFraming.isMagic(firstBytes) {
      self = .btsnoop
    } else if PcapFraming.isMagic(firstBytes) {
      self = .pcap
    } else if PcapngFraming(firstBytes: firstBytes) != nil {
      self = .pcapng
    } else {
      return nil
    }
  }
}
