/// The cumulative drop counter of btsnoop records (RFC 1761, 3): packets that the capturing system lost since the first record.
/// The count of the first record is the baseline for the others.
struct DropCounter {
  private var last: UInt32?

  /// Records the count of the next record. Returns the number of packets dropped since the previous record, and whether the
  /// counter decreased, in which case no drops are counted. The new count is the baseline for the next record.
  @inline(__always)
  mutating func advance(to count: UInt32) -> (dropped: UInt64, isReset: Bool) {
    let before = last ?? count
    last = count
    return count >= before ? (UInt64(count - before), false) : (0, true)
  }
}
