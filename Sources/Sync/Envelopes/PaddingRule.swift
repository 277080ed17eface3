/// How the content of a chunk is padded before it is sealed.
package enum PaddingRule: Hashable, Sendable {
  /// To the lengths of Padmé: at most 12 % longer.
  case padme
  /// To multiples of 64 KiB, so that the store hardly learns how much was recorded.
  case fixed

  /// The unit of `fixed`, in bytes.
  static let unit = 64 << 10

  /// Returns the padded length of `length` bytes.
  func length(_ length: Int) -> Int {
    switch self {
    case .padme: Padding.length(length)
    case .fixed: (length + Self.unit - 1) / Self.unit * Self.unit
    }
  }
}
