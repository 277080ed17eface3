/// Names that are safe as a level of a topic and as an identifier of Home Assistant: `a`–`z`, `A`–`Z`, `0`–`9`, `_` and `-`.
package enum TopicName {
  /// The maximum number of characters.
  package static let limit = 64

  /// Returns `name` if it is safe. Otherwise, returns it with `_` for the other characters, shortened, and with a hash of `name`
  /// at its end, so that different names stay different.
  package static func make(_ name: String) -> String {
    let safe = name.utf8.allSatisfy(isSafe)
    guard !safe || name.isEmpty || name.utf8.count > limit else { return name }
    let start = name.unicodeScalars.prefix(limit - 17).map { scalar in
      scalar.isASCII && isSafe(UInt8(scalar.value)) ? Character(scalar) : "_"
    }
    return String(start) + "_" + hash(name)
  }

  /// Whether `name` can be used as it is.
  package static func isSafe(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= limit && name.utf8.allSatisfy(isSafe)
  }

  private static func isSafe(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
    default: false
    }
  }

  /// FNV-1a of 64 bits, in 16 hexadecimal digits: it separates names and protects nothing.
  private static func hash(_ name: String) -> String {
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
