import TachogramCore

extension BluetoothAddress {
  /// Reads an address from the six bytes at an offset, least significant first, or returns `nil` if there are fewer bytes. Only
  /// the lowest bit of `kind` is used: in HCI events, 2 and 3 are public and random identity addresses that the controller
  /// resolved.
  init?(_ bytes: Span<UInt8>, at offset: Int, kind: UInt8) {
    guard let low = bytes.littleEndian32(at: offset), let high = bytes.littleEndian16(at: offset + 4) else {
      return nil
    }
    self.init(value: UInt64(high) << 32 | UInt64(low), kind: kind & 1 == 0 ? .public : .random)
  }
}
