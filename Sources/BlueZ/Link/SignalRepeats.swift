/// Distinguishes a notification from its copies, which the daemon signals if other programs are subscribed to the same
/// characteristic. BlueZ 5.66 signals the value once per subscriber, in consecutive messages, and each subscriber receives all
/// of them. The number of copies is not reported and therefore learnt.
///
/// Copies have the same value, close serial numbers and nearly the same time of arrival. Genuine equal notifications arrive at
/// different times, or as further groups with the same number of copies.
struct SignalRepeats: Sendable {
  /// The maximum time between copies, in nanoseconds. A machine under load may read copies this far apart.
  private static let together: Int64 = 100_000_000
  /// The maximum number of messages to any destination between copies.
  private static let interjections: UInt32 = 3
  /// The number of consecutive notifications from which the number of copies is learnt.
  private static let lesson = 4

  private var value: [UInt8] = []
  private var serial: UInt32 = 0
  private var arrival: Int64 = .min
  /// The number of consecutive signals with this value.
  private var length = 0
  /// The number of signals per notification, or 0 if signals are never copies.
  private var copies: Int
  private var recent: [Int] = []

  /// Creates a filter. `isShared` is whether other programs seem to be subscribed; if not, no signal counts as a copy.
  init(isShared: Bool) {
    copies = isShared ? 2 : 0
  }

  /// Whether a signal is a notification and not a copy of the last one.
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

  /// Records the number of signals with the last value. The minimum of the recent numbers counts, because equal notifications
  /// increase the number. A single smaller number is ignored, because the copies of one notification may have been separated.
  private mutating func learn() {
    guard length > 0 else { return }
    recent.append(length)
    if recent.count > Self.lesson { recent.removeFirst() }
    guard recent.count == Self.lesson else { return }
    let torn = recent.count { $0 < copies } == 1
    if !torn, let least = recent.min() { copies = least }
  }
}
