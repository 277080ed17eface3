/// A column of floating-point numbers, exact to the bit, in planes of bytes: the first bytes of all numbers, then the second bytes,
/// and so on. Signs and exponents compress better than whole numbers.
enum RealColumn {
  private static let byteCount = 8

  /// Returns the planes of `numbers`.
  static func planes(_ numbers: [Double]) -> [[UInt8]] {
    (0..<byteCount).map { place in
      numbers.map { UInt8(truncatingIfNeeded: $0.bitPattern >> UInt64(8 * (byteCount - 1 - place))) }
    }
  }

  /// Reads a column of `count` numbers, of which none is infinite or not a number.
  static func read(_ reader: inout ByteReader, count: Int, _ field: String) throws(FormatFailure) -> [Double] {
    let start = reader.failure(field, .invalidValue)
    var patterns = [UInt64](repeating: 0, count: 0)
    for _ in 0..<byteCount {
      let plane = try reader.read(count, field)
      if patterns.isEmpty { patterns = [UInt64](repeating: 0, count: count) }
      for (place, byte) in plane.enumerated() { patterns[place] = patterns[place] << 8 | UInt64(byte) }
    }
    let numbers = patterns.map(Double.init(bitPattern:))
    guard numbers.allSatisfy(\.isFinite) else { throw start }
    return numbers
  }
}
