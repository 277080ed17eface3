/// A value, or why there is none.
package enum Measured: Hashable, Sendable {
  case value(Double)
  case missing(UnavailableReason)

  /// The value, if there is one.
  package var value: Double? {
    if case .value(let value) = self { value } else { nil }
  }
}
