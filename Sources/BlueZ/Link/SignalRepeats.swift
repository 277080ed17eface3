/// Distinguishes a notification from the copies of it that the daemon signals where other programs are subscribed to the same
/// characteristic: BlueZ 5.66 signals the value once for each subscriber, one message right behind the other, and each
/// subscriber hears all of them. How many there are it does not say, so it is learnt.
///
/// Copies have the same value, serial numbers close together, and come at once; genuine equal notifications come apart, or as
/// further copies in the same number.
struct SignalRepeats: Sendable {
  /// Signals further apart than this are no copies, in nanoseconds: a machine under load reads them that far apart.
  private static let together: Int64 = 100_000_000
  /// Nor with more messages than this, to whomever, between them.
  private static let interjections: UInt32 = 3
  /// From how many notifications in a row the number of copies is learnt.
  private static let lesson = 4

  private var value: [UInt8] = []
  private var serial: UInt32 = 0
  private var arrival: Int64 = .min
  /// Signals with this value, one behind the other.
  private var length = 0
  /// How often each notification comes.
  private var copies: Int
  private var recent: [Int] = []

  /// `isShared`: whether others seem to be subscribed; else nothing is ever a copy.
  init(isShared: Bool) {
    copies = isShared ? 2 : 0
  }

  /// Whether a signal is a notification, and no copy of the last one.
  mutating func isNotification(_ value: [UInt8], serial: UInt32, arrival: Int64) -> Bool {
    guard copies > 0 else { return true }
    if length > 0, serial &- self.serial &- 1 <= Self.interjections, arrival - self.arrival <= Self.together,
      value == self.value
    {
      length += 1
    } else {
      learn()
      self.value = value
      length = 1
    }
    (self.serial, self.arrival) = (serial, arrival)
    return (length - 1) % copies == 0
  }

  /// Takes how often the last value came. The least of a lesson counts: equal notifications may make more of it, and
  /// where a pair was torn apart, once, it is less.
  private mutating func learn() {
    guard length > 0 else { return }
    recent.append(length)
    if recent.count > Self.lesson { recent.removeFirst() }
    guard recent.count == Self.lesson else { return }
    let torn = recent.count { $0 < copies } == 1
    if !torn, let least = recent.min() { copies = least }
  }
}
