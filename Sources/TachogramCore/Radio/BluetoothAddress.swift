/// A Bluetooth device address: 48 bits, and whether they are public or random.
///
/// The all-zero address means that the address is not known: a capture that began when the link was already up.
package struct BluetoothAddress: Hashable, Sendable {
  /// Who assigned the address (Core Specification 5.4, Vol 6, Part B, 1.3).
  package enum Kind: UInt8, Hashable, Sendable {
    /// Assigned by the IEEE to the maker.
    case `public` = 0
    /// Chosen by the device, static or resolvable.
    case random = 1
  }

  /// The 48 bits; the most significant byte is the one that is written first.
  package let value: UInt64
  package let kind: Kind

  /// The address that stands for "not known".
  package static let unknown = BluetoothAddress(value: 0, kind: .public)

  /// Whether the address is known.
  package var isKnown: Bool { value != 0 }

  /// Whether the device keeps the address: a public one, or a static random one (Core Specification 5.4, Vol 6, Part B,
  /// 1.3.2). Any other changes every few minutes, and only a bonded device can resolve it.
  package var isLasting: Bool { kind == .public || value >> 46 == 0b11 }

  /// The address in logs: its last byte alone. That distinguishes the straps of a household without identifying them.
  package var shortForm: String { "…" + description.suffix(3) }

  /// Whether both are written alike. What a person types, and what some programs say, does not contain the kind.
  package func matches(_ other: BluetoothAddress) -> Bool { value == other.value }

  package init(value: UInt64, kind: Kind) {
    self.value = value & 0xFFFF_FFFF_FFFF
    self.kind = kind
  }

  /// An address from its six bytes as they are on the air, least significant first; `nil` for another number of bytes.
  package init?(littleEndian bytes: some Collection<UInt8>, kind: Kind) {
    guard bytes.count == 6 else { return nil }
    self.init(value: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }, kind: kind)
  }

  /// An address written as `C8:DE:AD:BE:EF:01` or with dashes, in either case; `nil` for anything else.
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

  /// The six bytes as they are on the air, least significant first.
  package var littleEndianBytes: [UInt8] {
    (0..<6).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

extension BluetoothAddress: CustomStringConvertible {
  /// The address as people write it: `C8:DE:AD:BE:EF:01`.
  package var description: String {
    littleEndianBytes.reversed().map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: ":")
  }
}
