/// The timing of an LE connection (Core Specification 5.4, Vol 6, Part B, 4.5).
package struct ConnectionParameters: Hashable, Sendable {
  /// The shortest and longest connection interval, in units of 1.25 ms.
  package let intervals: ClosedRange<UInt16>
  /// The number of connection events that the peer may skip.
  package let latency: UInt16
  /// The time without a packet after which the link counts as lost, in units of 10 ms.
  package let supervisionTimeout: UInt16

  /// Creates connection parameters, or returns `nil` if the specification, and therefore the kernel, does not allow the values:
  /// intervals within 6…3200, latency at most 499, timeout within 10…3200 and longer than twice the longest time that the peer
  /// may be silent.
  package init?(intervals: ClosedRange<UInt16>, latency: UInt16, supervisionTimeout: UInt16) {
    guard intervals.lowerBound >= 6, intervals.upperBound <= 3200, latency <= 499,
      (10...3200).contains(supervisionTimeout),
      // timeout × 10 ms > 2 × (latency + 1) × interval × 1.25 ms
      UInt32(supervisionTimeout) * 4 > (UInt32(latency) + 1) * UInt32(intervals.upperBound)
    else { return nil }
    self.intervals = intervals
    self.latency = latency
    self.supervisionTimeout = supervisionTimeout
  }
}
