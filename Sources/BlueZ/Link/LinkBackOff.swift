/// How long to wait after a fault: a pure function of its class and of how often it came in a row.
///
///     class                   1st    2nd    3rd    4th    5th    …    at most
///     transient, vanished     0.25   0.5    1      2      4           4 s
///     link lost               0.25   0.5    1      2      4           4 s    the strap must advertise before anything else
///     timed out, silence      1      2      4      8      16          30 s
///     no heart-rate service   1      2      4      8      16          60 s
///     way refused             0.25   0.5    1      2      4           30 s
///     not authorised          2      4      8      16     32          60 s
///     no slot, refused        2      4      8      16     32          60 s
///
/// Up to a quarter is taken off at random, so that straps that were lost together do not return together.
package enum LinkBackOff {
  /// The wait in microseconds after the `attempt`-th fault in a row, 1 and up; `jitter` is 0 ..< 1.
  package static func delay(after fault: LinkFault, attempt: Int, jitter: Double) -> Int64 {
    let (first, most): (Int64, Int64) =
      switch fault {
      case .transient, .vanished, .linkLost: (250_000, 4_000_000)
      case .timedOut, .silence: (1_000_000, 30_000_000)
      case .noHeartRateService: (1_000_000, 60_000_000)
      case .wayRefused: (250_000, 30_000_000)
      case .notAuthorised, .noSlot, .refused: (2_000_000, 60_000_000)
      }
    let doublings = min(max(0, attempt - 1), 16)
    let full = min(most, first << Int64(doublings))
    return full - Int64(Double(full) / 4 * min(max(jitter, 0), 1))
  }
}
