/// The delay after a fault, as a pure function of the class of the fault and the number of its consecutive occurrences.
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
/// A random part of up to a quarter is subtracted, so that straps that were lost together are not retried together.
package enum LinkBackOff {
  /// Returns the delay after the `attempt`-th consecutive fault, counted from 1. `jitter` is 0 ..< 1.
  package static func delay(after fault: LinkFault, attempt: Int, jitter: Double) -> Duration {
    let (first, most): (Duration, Duration) =
      switch fault {
      case .transient, .vanished, .linkLost: (.milliseconds(250), .seconds(4))
      case .timedOut, .silence: (.seconds(1), .seconds(30))
      case .noHeartRateService: (.seconds(1), .seconds(60))
      case .wayRefused: (.milliseconds(250), .seconds(30))
      case .notAuthorised, .noSlot, .refused: (.seconds(2), .seconds(60))
      }
    let doublings = min(max(0, attempt - 1), 16)
    let full = min(most, first * (1 << doublings))
    return full - full / 4 * min(max(jitter, 0), 1)
  }
}
