import BlueZ
import TachogramCore

/// The straps that broadcast, as they were heard last.
package struct BroadcastBoard: Sendable {
  private struct Strap {
    var last: HeardBroadcast
    /// When the next line about it is due.
    var due: MonotonicTime
    var isStaleTold = false
  }

  /// How long a strap that is not heard any more is shown: whoever left the room is not looked for.
  private static let forgotten: Duration = .seconds(600)
  /// Anybody in range can make up addresses; more than these are not kept.
  private static let mostStraps = 1000
  /// Between two lines about one strap; and how much earlier one may be, so that straps which advertise
  /// a little more often than once a second get theirs.
  private static let distance: Duration = .seconds(1)
  private static let slack: Duration = .milliseconds(500)

  private let filter: BroadcastFilter
  private let known: [KnownStrap]
  private var straps: [UInt64: Strap] = [:]
  private var unwanted: Set<UInt64> = []
  /// When to look next for those who left.
  private var sweep: MonotonicTime?
  /// What keeps straps from being heard.
  package private(set) var obstacle: LinkReason?

  /// `known` are the straps to which the person gave names.
  package init(filter: BroadcastFilter, known: [KnownStrap]) {
    self.filter = filter
    self.known = known
  }

  package func isWanted(_ heard: HeardBroadcast) -> Bool { filter.isWanted(heard) }

  // MARK: - Taking news

  /// Takes what was heard; whether it is worth a line, which it is about once a second for each strap.
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

  private mutating func forget(at now: MonotonicTime) {
    if sweep.map({ now >= $0 }) ?? true {
      sweep = now.advanced(by: Self.distance)
      straps = straps.filter { now.duration(since: $0.value.last.monotonic) <= Self.forgotten }
    }
    guard straps.count > Self.mostStraps else { return }
    let oldest = straps.min { ($0.value.last.monotonic, $0.key) < ($1.value.last.monotonic, $1.key) }
    if let oldest { straps[oldest.key] = nil }
  }

  // MARK: - Reading

  /// Straps that broadcast and are not wanted.
  package var others: Int { unwanted.count }

  /// What a strap is called: by the person, else by itself, else by its address.
  package func name(_ heard: HeardBroadcast) -> String {
    known.first { $0.address.matches(heard.address) }?.name ?? heard.name ?? heard.address.description
  }

  /// The straps at `time`, by name.
  package func rows(at time: MonotonicTime) -> [BroadcastRow] {
    straps.values.map { row($0.last, time) }
      .sorted { ($0.strap, $0.last.address.value) < ($1.strap, $1.last.address.value) }
  }

  /// The straps that have become stale since the last time, once each.
  mutating func newlyStale(at time: MonotonicTime) -> [BroadcastRow] {
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
