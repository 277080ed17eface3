/// The reason why the times beside the intervals of a text are not used.
package enum RRTextTimesRefusal: Hashable, Sendable {
  /// All times are the same.
  case constant
  /// The times run backwards.
  case backwards
  /// The times advance at `rate` of the speed of the intervals, well below 1. `isSteady` means that the clock did not stand
  /// still for most of them.
  case slow(rate: Double, isSteady: Bool)
  /// `count` of `of` times cannot be read.
  case unreadable(count: Int, of: Int)
  /// `count` of `of` times go back, stand still or leap, or are among the `unreadable` times.
  case unsteady(count: Int, of: Int, unreadable: Int)
}

extension RRTextTimesRefusal {
  /// The rate below which slow times prove that the values beside them are not intervals.
  private static let impossiblySlow = 0.5

  /// The rate of the times if it proves that the values beside them are not intervals in the assumed unit, else `nil`. A clock
  /// that stood still proves nothing.
  var rateOfOtherValues: Double? {
    if case .slow(let rate, isSteady: true) = self, rate < Self.impossiblySlow { rate } else { nil }
  }
}

extension RRTextTimesRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .constant: "all times are the same"
    case .backwards: "the times run backwards"
    case .slow(let rate, _):
      "the intervals last longer than the times allow, which pass at \(Int((rate * 100).rounded())) % of their speed"
    case .unreadable(let count, let of): "\(count) of \(of) times cannot be read"
    case .unsteady(let count, let of, let unreadable):
      "\(count) of \(of) times go back, stand still or leap" + (unreadable > 0 ? ", or cannot be read" : "")
    }
  }
}
