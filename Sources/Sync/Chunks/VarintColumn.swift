/// A column of varints in planes: the first bytes of all numbers, then the second bytes of those that have one, and so on. Bytes
/// of one plane have similar statistics, which compress better than whole numbers.
enum VarintColumn {
  /// A varint of 64 bits has at most this many bytes.
  private static let mostPlanes = 10

  /// Returns the planes of `numbers`.
  static func planes(_ numbers: [UInt64]) -> [[UInt8]] {
    var planes: [[UInt8]] = []
    var rest = numbers
    while !rest.isEmpty {
      planes.append(rest.map { UInt8($0 & 0x7F) | ($0 > 0x7F ? 0x80 : 0) })
      rest = rest.compactMap { $0 > 0x7F ? $0 >> 7 : nil }
    }
    return planes
  }

  /// Returns the planes of signed numbers in zigzag form.
  static func planes(signed numbers: [Int64]) -> [[UInt8]] { planes(numbers.map(Zigzag.encoded)) }

  /// Reads a column of `count` numbers. The memory is proportional to the bytes that are present.
  static func read(_ reader: inout ByteReader, count: Int, _ field: String) throws(FormatFailure) -> [UInt64] {
    var numbers = try reader.read(count, field).map { UInt64($0) }
    var open = numbers.indices.filter { numbers[$0] > 0x7F }
    for place in open { numbers[place] &= 0x7F }
    var plane = 1
    while !open.isEmpty {
      let start = reader.failure(field, .invalidValue)
      guard plane < mostPlanes else { throw start }
      let bytes = try reader.read(open.count, field)
      var next: [Int] = []
      for (place, byte) in zip(open, bytes) {
        // The last byte has one bit, and no number has a longer form than it needs.
        guard byte != 0, plane < mostPlanes - 1 || byte == 1 else { throw start }
        numbers[place] |= UInt64(byte & 0x7F) << UInt64(7 * plane)
        if byte > 0x7F { next.append(place) }
      }
      open = next
      plane += 1
    }
    return numbers
  }

  /// Reads a column of signed numbers in zigzag form.
  static func readSigned(
    _ reader: inout ByteReader, count: Int, _ field: String
  ) throws(FormatFailure) -> [Int64] {
    try read(&reader, count: count, field).map(Zigzag.decoded)
  }
}
