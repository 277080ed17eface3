/// The number of packets that a pcapng interface dropped. Two kinds of block report it: packet blocks count the drops since the
/// previous packet (epb_dropcount), and statistics blocks those since the start of the capture (isb_ifdrop, isb_osdrop;
/// draft-ietf-opsawg-pcapng 4.3, 4.6). Both count the same packets, so the larger number is used. Sums are clamped to the
/// maximum.
struct InterfaceDrops {
  private var byPackets: UInt64 = 0
  private var byStatistics: UInt64 = 0

  /// Adds the count of a packet block, and returns the number of newly known drops.
  mutating func add(_ count: UInt64) -> UInt64 {
    let before = known
    byPackets = byPackets.addingClamped(count)
    return known - before
  }

  /// Records the total of a statistics block, and returns the number of newly known drops.
  mutating func raise(to total: UInt64) -> UInt64 {
    let before = known
    byStatistics = max(byStatistics, total)
    return known - before
  }

  private var known: UInt64 { max(byPackets, byStatistics) }
}

extension UInt64 {
  /// Returns the sum, clamped to the maximum.
  func addingClamped(_ other: UInt64) -> UInt64 {
    let (sum, isOverflow) = addingReportingOverflow(other)
    return isOverflow ? .max : sum
  }
}
