/// The cumulative drop counter of btsnoop records (RFC 1761, 3): packets that the capturing system lost since the first
/// record. The count of the first record is what the others rise from.
struct DropCounter {
  private var last: UInt32?

  /// Takes the count of the next record: how many packets were dropped since the one before, and whether the counter went
  /// back, which is nothing to trust. Counting goes on from there.
  @inline(__always)
  mutating func advance(to count: UInt32) -> (dropped: UInt64, isReset: Bool) {
    let before = last ?? count
    last = count
    return count >= before ? (UInt64(count - before), false) : (0, true)
  }
}
