/// How many heart-rate notifications are not used, by reason.
package struct LeftOutCounts: Hashable, Sendable {
  private var counts: [LeftOutReason: Int] = [:]

  /// None.
  package init() {}

  /// How many are left out for a reason.
  package subscript(reason: LeftOutReason) -> Int {
    get { counts[reason] ?? 0 }
    set { counts[reason] = newValue == 0 ? nil : newValue }
  }

  /// How many are left out.
  package var total: Int { counts.values.reduce(0, +) }

  /// The reasons that occur, in their order, with their counts.
  package var reasons: [(reason: LeftOutReason, count: Int)] {
    LeftOutReason.allCases.compactMap { reason in counts[reason].map { (reason, $0) } }
  }

  /// Adds the counts of another one.
  package mutating func add(_ other: LeftOutCounts) {
    for (reason, count) in other.counts { self[reason] += count }
  }
}

extension LeftOutCounts: CustomStringConvertible {
  /// For people: `60 without a time of arrival, 2 of another strap`; empty when there are none.
  package var description: String {
    reasons.map { "\($0.count) \($0.reason.words)" }.joined(separator: ", ")
  }
}
