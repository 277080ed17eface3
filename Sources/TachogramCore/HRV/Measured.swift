/// A value, or the reason why it is unavailable.
package enum Measured: Hashable, Sendable {
  case value(Double)
  case missing(UnavailableReason)

  /// The value, or `nil` if it is unavailable.
  package var value: Double? {
    if case .value(let value) = self { value } else { nil }
  }
}
