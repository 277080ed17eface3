/// The result of comparing the times of a text with its intervals.
struct RRTextTimesVerdict: Hashable {
  /// The share of impossible or unreadable times above which no times are used.
  static let mostUnusable = 0.2

  /// The reason why the times are not used, or `nil` if they are used.
  var refusal: RRTextTimesRefusal?
  /// The missing time in ms, 0 if unknown, by the index of the interval that follows it.
  var gaps: [Int: Double] = [:]
  /// The indices of intervals whose time is impossible or unreadable.
  var unusable: Set<Int> = []

  init(refusal: RRTextTimesRefusal? = nil) {
    self.refusal = refusal
  }
}
