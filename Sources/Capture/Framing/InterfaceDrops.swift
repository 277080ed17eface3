/// Packets that a pcapng interface dropped, which two kinds of block report: packet blocks those since the packet before
/// (epb_dropcount), statistics those since the capture began (isb_ifdrop, isb_osdrop; draft-ietf-opsawg-pcapng 4.3, 4.6). Both
/// count the same packets, so that the larger of the two holds. Sums end at the largest number.
struct InterfaceDrops {
  private var byPackets: UInt64 = 0
  private var byStatistics: UInt64 = 0

  /// Takes the count of a packet block; how many drops that adds to what is known.
  mutating func add(_ count: UInt64) -> UInt64 {
    let before = known
    byPackets = byPackets.addingClamped(count)
    return known - before
  }

  /// Takes the total of a statistics block; how many drops that adds to what is known.
  mutating func raise(to total: UInt64) -> UInt64 {
    let before = known
    byStatistics = max(byStatistics, total)
    return known - before
  }

  private var known: UInt64 { max(byPackets, byStatistics) }
}

extension UInt64 {
  /// The sum, or the largest number where that is more.
  func addingClamped(_ other: UInt64) -> UInt64 {
    let (sum, isOverflow) = addingReportingOverflow(other)
    return isOverflow ? .max : sum
  }
}
