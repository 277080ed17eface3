/// The zigzag form of signed numbers, in which numbers near zero are small (Protocol Buffers, "Encoding").
enum Zigzag {
  static func encoded(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

  static func decoded(_ value: UInt64) -> Int64 { Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
}
