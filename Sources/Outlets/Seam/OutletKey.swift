import Crypto
import FoundationEssentials

/// A secret of a station from which opaque identifiers of its straps follow: the same each time, and of no use to others.
package struct OutletKey: Sendable {
  /// The number of bytes of a key.
  package static let byteCount = 32

  private let key: SymmetricKey

  /// Creates a key of `byteCount` random bytes, or returns `nil` for another number.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    key = SymmetricKey(data: bytes)
  }

  /// Returns new random bytes for a key.
  package static func makeBytes() -> [UInt8] {
    SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
  }

  /// Returns the identifier of a strap: that of its address. A strap without an address has the identifier of its name. What is received
  /// from advertisements has its own: the same strap may be connected as well.
  package func identifier(of reading: OutletReading) -> String {
    let strap = reading.address ?? reading.name
    return identifier(of: reading.isAverage ? Self.averages(of: strap) : strap)
  }

  /// Returns what stands in place of an address for the averages of a strap.
  package static func averages(of address: String) -> String { "average " + address }

  /// Returns the identifier of an address: the first 8 bytes of its HMAC, in hexadecimal digits.
  package func identifier(of address: String) -> String {
    let code = HMAC<SHA256>.authenticationCode(for: Array(address.utf8), using: key)
    return code.prefix(8).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
