/// An RR interval on the axis of a night, or the place of one that is not known.
package struct NightInterval: Hashable, Sendable {
  /// The valid lengths in ticks: 0.3 s, which is no whole number of ticks, to 2 s (`min_rri`, `max_rri` of SleepECG).
  package static let validTicks: ClosedRange<Int64> = 308...2048

  /// The time of the beat that ends it, in ticks from the start of the night.
  package let end: Int64
  /// Its length in ticks. For a gap, its duration.
  package let ticks: Int64
  /// Whether the length is that of an interval between two neighbouring beats.
  package let isValid: Bool

  package init(end: Int64, ticks: Int64, isValid: Bool = true) {
    self.end = end
    self.ticks = ticks
    self.isValid = isValid && Self.validTicks.contains(ticks)
  }
}
