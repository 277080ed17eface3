import GATT
import Testing

/// What must hold for every error of a decoder: it points into the value.
enum PolarErrorCheck {
  /// Runs `decode` on the bytes, and requires that its error, if any, points into them.
  static func check(
    _ bytes: [UInt8], _ decode: ([UInt8]) throws(GATTDecodingError) -> Void
  ) throws {
    do throws(GATTDecodingError) {
      try decode(bytes)
    } catch {
      try #require(pointsInside(error, bytes), "\(bytes): \(error)")
    }
  }

  private static func pointsInside(_ error: GATTDecodingError, _ bytes: [UInt8]) -> Bool {
    switch error {
    case .empty: bytes.isEmpty
    case .truncated(_, let offset, let needed, let available):
      offset + available == bytes.count && available < needed
    case .trailingBytes(let offset, let count): offset + count == bytes.count && count > 0
    case .unsupported(_, let value, let offset): bytes.indices.contains(offset) && bytes[offset] == value
    case .tooLong(let count, let limit): count == bytes.count && count > limit
    case .oddRRByte, .reserved, .invalidUTF8: false
    }
  }
}
