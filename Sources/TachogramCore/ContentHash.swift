/// The FNV-1a hash of 128 bits (Fowler, Noll, Vo; RFC 9923): an identifier of content, so that replaying the same capture
/// results in the same identifiers. It does not protect against deliberate collisions.
package struct ContentHash: Sendable {
  /// The hash of the bytes added so far.
  package private(set) var value: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

  package init() {}

  package mutating func add(_ byte: UInt8) {
    value = (value ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
  }

  package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { add(byte) }
  }

  /// Adds the eight bytes of `integer`, least significant first.
  package mutating func add(_ integer: Int64) {
    for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: integer >> Int64(shift))) }
  }

  /// The hash as the 128-bit number of a version 8 UUID (RFC 9562, 5.8), the first byte most significant.
  package var uuidValue: UInt128 {
    let version = value & ~(0xF << 76) | (0x8 << 76)
    return version & ~(0x3 << 62) | (0x2 << 62)
  }

  /// The hash as a version 8 UUID in lower case.
  package var uuidText: String {
    let digits = String(uuidValue, radix: 16)
    let padded = String(repeating: "0", count: 32 - digits.utf8.count) + digits
    var text = ""
    for (position, digit) in padded.enumerated() {
      if [8, 12, 16, 20].contains(position) { text.append("-") }
      text.append(digit)
    }
    return text
  }
}
