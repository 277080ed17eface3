import TachogramCore

/// Statistics of the links of one strap.
package struct LinkStatistics: Sendable {
  /// The number of links with at least one notification.
  package private(set) var links = 0
  /// The number of links that ended, by HCI error code; 0 if unknown.
  package private(set) var drops: [UInt8: Int] = [:]
  /// The times without notifications after the first one: from the last notification of a link to the first of the next.
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
