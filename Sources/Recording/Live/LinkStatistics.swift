import TachogramCore

/// What became of the links of one strap.
package struct LinkStatistics: Sendable {
  /// Links on which something was notified.
  package private(set) var links = 0
  /// Links that ended, by HCI error code; 0 when not known.
  package private(set) var drops: [UInt8: Int] = [:]
  /// Times without notifications after the first one: from the last notification of a link to the
  /// first of the next.
  package private(set) var outages: [Duration] = []
  private(set) var lastNotification: MonotonicTime?
  private var isUp = false

  mutating func notification(at time: MonotonicTime) {
    if !isUp {
      isUp = true
      links += 1
      if let lastNotification { outages.append(time.duration(since: lastNotification)) }
    }
    lastNotification = time
  }

  mutating func linkDown(reason: UInt8) {
    guard isUp, reason != DisconnectionCode.captureLoss else { return }
    isUp = false
    if reason == DisconnectionCode.localHost { return }
    drops[reason, default: 0] += 1
  }

  /// The longest time without notifications, in seconds.
  package var longestOutage: Double? { outages.max()?.inSeconds }
}
