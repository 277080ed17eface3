import GATT

/// What must hold for every error of a decoder of measurement data.
package enum ErrorPlace {
  /// Whether an error points into the bytes that were decoded.
  package static func isInside(_ error: GATTDecodingError, _ bytes: [UInt8]) -> Bool {
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
