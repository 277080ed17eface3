/// The checksum of FIT files: CRC-16 with the reflected polynomial 0xA001, beginning at 0 (FIT protocol, "CRC").
struct FITChecksum {
  private static let table: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xA001 : value >> 1 }
  }

  private(set) var value: UInt16 = 0

  mutating func add(_ bytes: Span<UInt8>) {
    for index in 0..<bytes.count {
      value = value >> 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: value) ^ bytes[index])]
    }
  }
}
