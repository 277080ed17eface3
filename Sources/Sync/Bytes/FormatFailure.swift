/// Bytes that do not have the expected layout.
package struct FormatFailure: Error, Hashable {
  /// The reason why a field cannot be decoded.
  package enum Reason: Hashable, Sendable {
    /// The field needs this many bytes more than there are.
    case missingBytes(Int)
    /// The value is not one that the layout permits.
    case invalidValue
    /// The value exceeds a limit of the layout.
    case tooLarge(limit: Int)
    /// A number has a longer form than it needs, so that the bytes are not the only form of the content.
    case notShortest
    /// Bytes follow the last field.
    case trailingBytes(Int)
    /// The layout has a version that this program does not know.
    case unknownVersion(UInt8)
    /// The field does not contain a compressed stream, or the stream is cut off.
    case notCompressed
  }

  /// The name of the field.
  package let field: String
  /// The position of the field, in bytes from the start of the layout that contains it.
  package let offset: Int
  package let reason: Reason

  package init(field: String, offset: Int, reason: Reason) {
    self.field = field
    self.offset = offset
    self.reason = reason
  }
}

extension FormatFailure: CustomStringConvertible {
  package var description: String {
    let words =
      switch reason {
      case .missingBytes(let count): "\(count) bytes are missing"
      case .invalidValue: "invalid value"
      case .tooLarge(let limit): "the limit is \(limit)"
      case .notShortest: "the number is not in its shortest form"
      case .trailingBytes(let count): "\(count) bytes follow the end"
      case .unknownVersion(let version): "unknown version \(version)"
      case .notCompressed: "not a complete compressed stream"
      }
    return "\(field) at byte \(offset): \(words)"
  }
}
