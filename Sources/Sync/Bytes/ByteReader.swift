/// Reads fields from bytes and checks the length before each. Errors name the field and its offset.
struct ByteReader: Sendable {
  private let bytes: [UInt8]
  /// The number of bytes read so far.
  private(set) var offset = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The number of bytes that are not read yet.
  var remaining: Int { bytes.count - offset }

  /// Returns the failure of a field that starts at the current offset.
  func failure(_ field: String, _ reason: FormatFailure.Reason) -> FormatFailure {
    FormatFailure(field: field, offset: offset, reason: reason)
  }

  mutating func read(_ count: Int, _ field: String) throws(FormatFailure) -> [UInt8] {
    guard count >= 0, count <= remaining else { throw failure(field, .missingBytes(max(0, count) - remaining)) }
    defer { offset += count }
    return Array(bytes[offset..<(offset + count)])
  }

  mutating func readByte(_ field: String) throws(FormatFailure) -> UInt8 {
    guard remaining > 0 else { throw failure(field, .missingBytes(1)) }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Reads an integer of a fixed size, the most significant byte first.
  mutating func readInteger<Value: FixedWidthInteger & UnsignedInteger>(
    _ type: Value.Type, _ field: String
  ) throws(FormatFailure) -> Value {
    try read(Value.bitWidth / 8, field).reduce(0) { $0 << 8 | Value($1) }
  }

  /// Reads an unsigned LEB128 number of at most 64 bits in its shortest form.
  mutating func readVarint(_ field: String) throws(FormatFailure) -> UInt64 {
    let start = offset
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let byte = try readByte(field)
      let bits = UInt64(byte & 0x7F)
      guard shift < 63 || bits <= 1 && shift == 63 else {
        throw FormatFailure(field: field, offset: start, reason: .invalidValue)
      }
      value |= bits << shift
      if byte & 0x80 == 0 {
        guard byte != 0 || shift == 0 else { throw FormatFailure(field: field, offset: start, reason: .notShortest) }
        return value
      }
      shift += 7
    }
  }

  /// Reads a number of items of which there are at most `limit`.
  mutating func readCount(_ field: String, limit: Int) throws(FormatFailure) -> Int {
    let start = offset
    let value = try readVarint(field)
    guard let count = Int(exactly: value), count <= limit else {
      throw FormatFailure(field: field, offset: start, reason: .tooLarge(limit: limit))
    }
    return count
  }

  /// Reads a signed number in zigzag form.
  mutating func readSigned(_ field: String) throws(FormatFailure) -> Int64 {
    Zigzag.decoded(try readVarint(field))
  }

  /// Reads bytes after their number, of which there are at most `limit`.
  mutating func readBytes(_ field: String, limit: Int) throws(FormatFailure) -> [UInt8] {
    try read(try readCount(field, limit: limit), field)
  }

  /// Reads UTF-8 text after the number of its bytes, of which there are at most `limit`.
  mutating func readText(_ field: String, limit: Int) throws(FormatFailure) -> String {
    let start = offset
    let bytes = try readBytes(field, limit: limit)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw FormatFailure(field: field, offset: start, reason: .invalidValue)
    }
    return text
  }

  /// Reads a byte that is 0 or 1.
  mutating func readFlag(_ field: String) throws(FormatFailure) -> Bool {
    guard let next = try? peek(), next <= 1 else {
      throw failure(field, remaining == 0 ? .missingBytes(1) : .invalidValue)
    }
    offset += 1
    return next == 1
  }

  /// Reads text that is preceded by whether there is any.
  mutating func readOptionalText(_ field: String, limit: Int) throws(FormatFailure) -> String? {
    try readFlag(field) ? try readText(field, limit: limit) : nil
  }

  mutating func readDigest(_ field: String) throws(FormatFailure) -> ContentDigest {
    ContentDigest(unchecked: try read(ContentDigest.byteCount, field))
  }

  /// Reads digests in ascending order after their number, of which there are at most `limit`.
  mutating func readDigests(_ field: String, limit: Int) throws(FormatFailure) -> [ContentDigest] {
    var digests: [ContentDigest] = []
    for _ in 0..<(try readCount(field, limit: limit)) {
      let start = failure(field, .invalidValue)
      let digest = try readDigest(field)
      if let last = digests.last, last >= digest { throw start }
      digests.append(digest)
    }
    return digests
  }

  /// Checks that no byte is left.
  func finish(_ field: String) throws(FormatFailure) {
    guard remaining == 0 else { throw failure(field, .trailingBytes(remaining)) }
  }

  private func peek() throws(FormatFailure) -> UInt8 {
    guard remaining > 0 else { throw failure("", .missingBytes(1)) }
    return bytes[offset]
  }
}
