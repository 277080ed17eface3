extension CaptureFormat {
  /// Detects the format by the first bytes of a file, or returns `nil` if they have no magic number, as in PacketLogger files.
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
