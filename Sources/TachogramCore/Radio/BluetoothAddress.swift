/// A Bluetooth device address: 48 bits and the kind of the address, public or random.
///
/// The all-zero address means that the address is not known, as in a capture that began after the link was established.
package struct BluetoothAddress: Hashable, Sendable {
  /// The kind of an address, by its assignment (Core Specification 5.4, Vol 6, Part B, 1.3).
  package enum Kind: UInt8, Hashable, Sendable {
    /// Assigned to the manufacturer by the IEEE.
    case `public` = 0
    /// Chosen by the device, static or resolvable.
    case random = 1
  }

  /// The 48 bits. The most significant byte is written first.
  package let value: UInt64
  package let kind: Kind

  /// The address that represents an unknown address.
  package static let unknown = BluetoothAddress(value: 0, kind: .public)

  /// Whether the address is known.
  package var isKnown: Bool { value != 0 }

  /// Whether the device keeps the address: it is public or static random (Core Specification 5.4, Vol 6, Part B, 1.3.2). Any
  /// other address changes every few minutes, and only a bonded device can resolve it.
  package var isLasting: Bool { kind == .public || value >> 46 == 0b11 }

  /// A short form for logs: only the last byte, which distinguishes the straps of a household without identifying them.
  package var shortForm: String { "…" + description.suffix(3) }

  /// Whether both addresses have the same 48 bits. Typed addresses, and the output of some programs, do not contain the kind.
  package func matches(_ other: BluetoothAddress) -> Bool { value == other.value }

  package init(value: UInt64, kind: Kind) {
    self.value = value & 0xFFFF_FFFF_FFFF
    self.kind = kind
  }

  /// Creates an address from its six bytes in the order of transmission, least significant first. Returns `nil` for another
  /// number of bytes.
  package init?(littleEndian bytes: some Collection<UInt8>, kind: Kind) {
    guard bytes.count == 6 else { return nil }
    self.init(value: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }, kind: kind)
  }

  /// Creates an address from text such as `C8:DE:AD:BE:EF:01`, with colons or dashes, in upper or lower case. Returns `nil` for
  /// any other text.
  package init?(text: some StringProtocol, kind: Kind = .public) {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "-" }
    guard parts.count == 6 else { return nil }
    var value: UInt64 = 0
    for part in parts {
      guard part.utf8.count == 2, part.utf8.first != UInt8(ascii: "+"), let byte = UInt8(part, radix: 16) else {
        return nil
      }
      value = value << 8 | UInt64(byte)
    }
    self.init(value: value, kind: kind)
  }

  /// The six bytes in the order of transmission, least significant first.
  package var littleEndianBytes: [UInt8] {
    (0..<6).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

extension BluetoothAddress: CustomStringConvertible {
  /// The address in text form, such as `C8:DE:AD:BE:EF:01`.
  package var description: String {
    littleEndianBytes.reversed().map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: ":")
  }
}
