import TachogramCore

extension BluetoothAddress {
  /// The address in the six bytes at an offset, least significant first; `nil` when they are not there. Only the lowest bit
  /// of `kind` counts: in HCI events 2 and 3 are identity addresses, public and random, that the controller resolved.
  init?(_ bytes: Span<UInt8>, at offset: Int, kind: UInt8) {
    guard let low = bytes.littleEndian32(at: offset), let high = bytes.littleEndian16(at: offset + 4) else {
      return nil
    }
    self.init(value: UInt64(high) << 32 | UInt64(low), kind: kind & 1 == 0 ? .public : .random)
  }
}
