/// A supported capture file format.
package enum CaptureFormat: String, Hashable, Sendable, CaseIterable {
  /// btsnoop (RFC 1761 layout), as Android, BlueZ `btmon -w` and this program write it.
  case btsnoop
  /// Classic pcap, both byte orders, microseconds or nanoseconds.
  case pcap
  /// pcapng (draft-ietf-opsawg-pcapng).
  case pcapng
  /// Apple PacketLogger.
  case packetLogger
}
