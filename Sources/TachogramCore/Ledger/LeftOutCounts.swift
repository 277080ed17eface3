/// The number of heart-rate notifications that are not used, by reason.
package struct LeftOutCounts: Hashable, Sendable {
  private var counts: [LeftOutReason: Int] = [:]

  /// Creates counts of zero.
  package init() {}

  /// The number of notifications that are left out for a reason.
  package subscript(reason: LeftOutReason) -> Int {
    get { counts[reason] ?? 0 }
    set { counts[reason] = newValue == 0 ? nil : newValue }
  }

  /// The number of all notifications that are left out.
  package var total: Int { counts.values.reduce(0, +) }

  /// The reasons with a count above zero, in the order of their declaration, with their counts.
  package var reasons: [(reason: LeftOutReason, count: Int)] {
    LeftOutReason.allCases.compactMap { reason in counts[reason].map { (reason, $0) } }
  }

  /// Adds the counts of `other`.
  package mutating func add(_ other: LeftOutCounts) {
    for (reason, count) in other.counts { self[reason] += count }
  }
}

extension LeftOutCounts: CustomStringConvertible {
  /// The counts in words, such as `60 without a time of arrival, 2 of other straps`; empty if there are none.
  package var description: String {
    reasons.map { "\($0.count) \($0.reason.words)" }.joined(separator: ", ")
  }
}
