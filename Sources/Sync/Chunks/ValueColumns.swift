/// The values of notifications as columns. Any bytes are exact; the columns compress well where the values are Heart Rate
/// Measurements (flags, heart rate, then numbers of 16 bits).
struct ValueColumns {
  /// Returns the columns of values: lengths, first bytes, differences of second bytes, differences of the following numbers of
  /// 16 bits, and last bytes that are no whole number.
  static func columns(_ values: [[UInt8]]) -> [[UInt8]] {
    var (first, second, words, last): ([UInt8], [UInt8], [Int64], [UInt8]) = ([], [], [], [])
    var (previousSecond, previousWord): (UInt8, UInt16) = (0, 0)
    for value in values {
      if let byte = value.first { first.append(byte) }
      guard value.count > 1 else { continue }
      second.append(value[1] &- previousSecond)
      previousSecond = value[1]
      for place in stride(from: 2, to: value.count - 1, by: 2) {
        let word = UInt16(value[place]) | UInt16(value[place + 1]) << 8
        words.append(Int64(Int16(bitPattern: word &- previousWord)))
        previousWord = word
      }
      if value.count > 2, !value.count.isMultiple(of: 2), let byte = value.last { last.append(byte) }
    }
    return VarintColumn.planes(values.map { UInt64($0.count) }) + [first, second] + VarintColumn.planes(signed: words)
      + [last]
  }

  /// Reads `count` values.
  static func read(_ reader: inout ByteReader, count: Int) throws(FormatFailure) -> [[UInt8]] {
    let start = reader.failure("value lengths", .tooLarge(limit: LedgerChunkLimits.value))
    let lengths = try VarintColumn.read(&reader, count: count, "value lengths").map { Int(clamping: $0) }
    guard lengths.allSatisfy({ $0 <= LedgerChunkLimits.value }) else { throw start }
    let firsts = try reader.read(lengths.count { $0 > 0 }, "first bytes")
    let seconds = try reader.read(lengths.count { $0 > 1 }, "second bytes")
    let wordCount = lengths.reduce(0) { $0 + max(0, $1 - 2) / 2 }
    let wordStart = reader.failure("words", .invalidValue)
    let words = try VarintColumn.readSigned(&reader, count: wordCount, "words")
    let lasts = try reader.read(lengths.count { $0 > 2 && $0 % 2 == 1 }, "last bytes")
    var (first, second, word, last) = (
      firsts.makeIterator(), seconds.makeIterator(), words.makeIterator(), lasts.makeIterator()
    )
    var (previousSecond, previousWord): (UInt8, UInt16) = (0, 0)
    var values: [[UInt8]] = []
    values.reserveCapacity(count)
    for length in lengths {
      var value: [UInt8] = []
      value.reserveCapacity(length)
      if length > 0, let byte = first.next() { value.append(byte) }
      if length > 1, let byte = second.next() {
        previousSecond &+= byte
        value.append(previousSecond)
      }
      while value.count + 1 < length, let next = word.next() {
        guard let difference = Int16(exactly: next) else { throw wordStart }
        previousWord &+= UInt16(bitPattern: difference)
        value += [UInt8(previousWord & 0xFF), UInt8(previousWord >> 8)]
      }
      if value.count < length, let byte = last.next() { value.append(byte) }
      values.append(value)
    }
    return values
  }
}
