extension CaptureFormat {
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
