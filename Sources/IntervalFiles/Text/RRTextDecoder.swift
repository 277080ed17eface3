import Capture

/// Converts chunks of text to UTF-8 according to its byte order mark. Text without a byte order mark is passed on unchanged.
struct RRTextDecoder {
  let encoding: RRTextDialect.Encoding
  /// The length in bytes of the byte order mark.
  let markLength: Int

  /// The first byte of a code unit whose second is in the next chunk.
  private var half: UInt8?

  /// Detects the encoding from the first bytes of the file.
  init(firstBytes: Span<UInt8>) {
    let first = (firstBytes.byte(at: 0), firstBytes.byte(at: 1), firstBytes.byte(at: 2))
    switch first {
    case (0xFF, 0xFE, _): (encoding, markLength) = (.utf16LittleEndian, 2)
    case (0xFE, 0xFF, _): (encoding, markLength) = (.utf16BigEndian, 2)
    case (0xEF, 0xBB, 0xBF): (encoding, markLength) = (.utf8, 3)
    default: (encoding, markLength) = (.utf8, 0)
    }
  }

  /// Returns the next bytes of UTF-16 as UTF-8. An unpaired surrogate becomes a replacement character.
  mutating func decode(_ bytes: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for index in 0..<bytes.count {
      guard let first = half else {
        half = bytes[index]
        continue
      }
      half = nil
      let pair = (UInt16(first), UInt16(bytes[index]))
      let unit = encoding == .utf16BigEndian ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
      if unit < 0x80 {
        result.append(UInt8(unit))
      } else {
        result += Array(String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8)
      }
    }
    return result
  }
}
