import BlueZ
import TachogramCore

/// The broadcasting straps with their last values.
package struct BroadcastBoard: Sendable {
  private struct Strap {
    var last: HeardBroadcast
    /// The time at which the next line about it is due.
    var due: MonotonicTime
    var isStaleTold = false
  }

  /// The time after which a strap that is no longer received is removed, unless the filter names it.
  private static let forgotten: Duration = .seconds(600)
  /// The maximum number of straps, because any device in range can use invented addresses.
  private static let mostStraps = 1000
  /// The interval between two lines about one strap, and the tolerance for straps that advertise slightly more often than once
  /// a second.
  private static let distance: Duration = .seconds(1)
  private static let slack: Duration = .milliseconds(500)

  private let filter: BroadcastFilter
  private let known: [KnownStrap]
  private var straps: [UInt64: Strap] = [:]
  private var unwanted: Set<UInt64> = []
  /// The time of the next removal of straps.
  private var sweep: MonotonicTime?
  /// The problem that prevents receiving straps.
  package private(set) var obstacle: LinkReason?

  /// Creates a board. `known` are the straps that the user named.
  package init(filter: BroadcastFilter, known: [KnownStrap]) {
    self.filter = filter
    self.known = known
  }

  package func isWanted(_ heard: HeardBroadcast) -> Bool { filter.isWanted(heard) }

  // MARK: - Taking news

  /// Handles a broadcast. Returns whether a line about it is due, about once a second for each strap.
  package mutating func handle(_ heard: HeardBroadcast) -> Bool {
    guard filter.isWanted(heard) else {
      if unwanted.count < Self.mostStraps { unwanted.insert(heard.address.value) }
      return false
    }
    let now = heard.monotonic
    var strap = straps[heard.address.value] ?? Strap(last: heard, due: now)
    strap.last = heard
    if strap.last.name == nil { strap.last.name = straps[heard.address.value]?.last.name }
    strap.isStaleTold = false
    let isDue = strap.due <= now.advanced(by: Self.slack)
    if isDue {
      strap.due = max(strap.due, now.advanced(by: .zero - Self.slack)).advanced(by: Self.distance)
    }
    straps[heard.address.value] = strap
    forget(at: now)
    return isDue
  }

  package mutating func handle(obstacle: LinkReason?) {
    self.obstacle = obstacle
  }

  /// Removes the straps that were not received for long.
  package mutating func forgetAbsent(at now: MonotonicTime) {
    sweep = nil
    forget(at: now)
  }

  private mutating func forget(at now: MonotonicTime) {
    if sweep.map({ now >= $0 }) ?? true {
      sweep = now.advanced(by: Self.distance)
      straps = straps.filter { now.duration(since: $0.value.last.monotonic) <= Self.forgotten || isNamed($0.value) }
    }
    guard straps.count > Self.mostStraps else { return }
    let oldest = straps.filter { !isNamed($0.value) }.min {
      ($0.value.last.monotonic, $0.key) < ($1.value.last.monotonic, $1.key)
    }
    if let oldest { straps[oldest.key] = nil }
  }

  private func isNamed(_ strap: Strap) -> Bool { filter.names(strap.last.address) }

  /// Whether the user named the strap, as one that is paired.
  package func isKnown(_ address: BluetoothAddress) -> Bool { known.contains { $0.address.matches(address) } }

  // MARK: - Reading

  /// The number of broadcasting straps that the filter excludes.
  package var others: Int { unwanted.count }

  /// Returns the name of a strap: the user's, otherwise its own, otherwise its address.
  package func name(_ heard: HeardBroadcast) -> String {
    known.first { $0.address.matches(heard.address) }?.name ?? heard.name ?? heard.address.description
  }

  /// The number of straps.
  package var count: Int { straps.count }

  package func contains(_ address: BluetoothAddress) -> Bool { straps[address.value] != nil }

  /// Returns a strap at `time`, or `nil` if it is unknown.
  package func row(_ address: BluetoothAddress, at time: MonotonicTime) -> BroadcastRow? {
    straps[address.value].map { row($0.last, time) }
  }

  /// Returns when the first of the straps that are not stale becomes so, or `nil` if all are.
  package func nextStale(at time: MonotonicTime) -> MonotonicTime? {
    straps.values.map { row($0.last, time) }.filter { !$0.isStale }.map(\.staleTime).min()
  }

  /// Returns the straps at `time`, by name.
  package func rows(at time: MonotonicTime) -> [BroadcastRow] {
    straps.values.map { row($0.last, time) }
      .sorted { ($0.strap, $0.last.address.value) < ($1.strap, $1.last.address.value) }
  }

  /// Returns the straps that have become stale since the last call, once each.
  package mutating func newlyStale(at time: MonotonicTime) -> [BroadcastRow] {
    var stale: [BroadcastRow] = []
    for (key, strap) in straps where !strap.isStaleTold {
      let row = row(strap.last, time)
      guard row.isStale else { continue }
      straps[key]?.isStaleTold = true
      stale.append(row)
    }
    return stale.sorted { ($0.strap, $0.last.address.value) < ($1.strap, $1.last.address.value) }
  }

  private func row(_ heard: HeardBroadcast, _ time: MonotonicTime) -> BroadcastRow {
    BroadcastRow(
      strap: name(heard), last: heard, age: max(0, time.seconds(since: heard.monotonic)))
  }
}
