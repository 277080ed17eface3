/// What the times beside the intervals of a text show.
struct RRTextTimesVerdict: Hashable {
  /// The share of times that cannot be, or cannot be read, beyond which none of them is used.
  static let mostUnusable = 0.2

  /// Why they are not used; `nil` when they are.
  var refusal: RRTextTimesRefusal?
  /// By the index of the interval behind it, the time in ms that is missing, 0 where it is not known.
  var gaps: [Int: Double] = [:]
  /// The indices of intervals whose time cannot be, or cannot be read.
  var unusable: Set<Int> = []

  init(refusal: RRTextTimesRefusal? = nil) {
    self.refusal = refusal
  }
}
