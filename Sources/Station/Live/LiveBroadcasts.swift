import BlueZ
import Dashboard
import GATT
import Listening
import Outlets
import Synchronization
import TachogramCore

/// The heart rates that are received from advertisements, for the viewers of the page and the outlets. They are averages, and never
/// become part of a session (docs/adr/0008-broadcasts-are-not-recorded.md).
final class LiveBroadcasts: Sendable {
  fileprivate struct State {
    var board: BroadcastBoard
    /// The number of the next strap that is heard.
    var next = LiveBroadcasts.firstNumber
    /// The straps on the board, by address.
    var straps: [UInt64: Strap] = [:]
    /// Since when averages of paired straps are heard that are not received otherwise.
    var waiting: [UInt64: MonotonicTime] = [:]
  }

  fileprivate struct Strap {
    let number: Int
    let address: BluetoothAddress
    /// The number of readings.
    var count = 0

    /// What outlets receive of a strap that is forgotten.
    func last(at time: WallTime) -> OutletReading {
      var reading = OutletReading(strap: number, name: address.description, time: time, isCurrent: false)
      (reading.address, reading.isAverage) = (address.description, true)
      return reading
    }
  }

  /// The number of the first strap: straps with a connection have lower ones.
  static let firstNumber = 1_000

  /// The time for which the station may connect to a paired strap before its averages count.
  private static let connecting: Duration = .seconds(15)

  private let state: Mutex<State>
  private let feed: EventFeed
  private let outlets: OutletHub
  private let time: any TimeSourceProtocol
  /// Has an element when a strap was heard.
  let revivals: AsyncStream<Void>
  private let revive: AsyncStream<Void>.Continuation

  init(_ board: BroadcastBoard, feed: EventFeed, outlets: OutletHub, time: any TimeSourceProtocol) {
    state = Mutex(State(board: board))
    (self.feed, self.outlets, self.time) = (feed, outlets, time)
    (revivals, revive) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Handles what the radio received. Returns whether straps were forgotten, so that the page has to lose them.
  @discardableResult
  func handle(_ update: BlueZBroadcasts.Update) -> Bool {
    switch update {
    case .obstacle(let reason):
      state.withLock { $0.board.handle(obstacle: reason) }
      return false
    case .heard(let heard):
      let (reading, forgotten) = state.withLock { state -> (API.Reading?, [LiveBroadcasts.Strap]) in
        if !state.counts(heard, after: Self.connecting) { return (nil, []) }
        guard state.board.handle(heard) else { return (nil, []) }
        let reading = state.board.row(heard.address, at: heard.monotonic).map { state.reading($0, isNew: true) }
        return (reading, state.forgetAbsent())
      }
      for strap in forgotten { outlets.forget(strap.last(at: heard.wall)) }
      if let reading {
        publish(reading, at: heard.wall)
        revive.yield()
      }
      return !forgotten.isEmpty
    }
  }

  /// Handles what is heard of a strap that is received by a connection: it says nothing new.
  func ignore(_ heard: HeardBroadcast) {
    state.withLock { $0.waiting[heard.address.value] = nil }
  }

  /// Publishes the readings that have become stale since the last call.
  func watch() {
    let now = time.now()
    let stale = state.withLock { state in state.board.newlyStale(at: now.monotonic).map { state.reading($0) } }
    for reading in stale { publish(reading, at: now.wall) }
  }

  /// Forgets the straps that were not received for long. Returns whether there were such, so that the page has to lose them.
  func forgetAbsent() -> Bool {
    let now = time.now()
    let forgotten = state.withLock { state in
      state.board.forgetAbsent(at: now.monotonic)
      return state.forgetAbsent()
    }
    for strap in forgotten { outlets.forget(strap.last(at: now.wall)) }
    return !forgotten.isEmpty
  }

  /// Returns when the first of the current readings becomes stale, or `nil` if none is current.
  func nextStale() -> MonotonicTime? {
    let now = time.now().monotonic
    return state.withLock { $0.board.nextStale(at: now) }
  }

  /// All readings.
  func readings() -> [API.Reading] {
    let now = time.now().monotonic
    return state.withLock { state in
      state.board.rows(at: now).map { state.reading($0) }.sorted { $0.strap < $1.strap }
    }
  }

  private func publish(_ reading: API.Reading, at time: WallTime) {
    feed.publish(.reading(reading))
    if !outlets.isEmpty { outlets.send(OutletReading(reading, at: time, label: nil)) }
  }
}

extension LiveBroadcasts.State {
  /// Whether a rate counts: that of a paired strap does when the station does not connect to it for a while.
  fileprivate mutating func counts(_ heard: HeardBroadcast, after time: Duration) -> Bool {
    let address = heard.address
    guard board.isKnown(address), straps[address.value] == nil else { return true }
    let start = waiting[address.value] ?? heard.monotonic
    waiting[address.value] = start
    return heard.monotonic.duration(since: start) >= time
  }

  /// Removes the straps that the board has forgotten, and returns them: invented addresses must not fill the memory.
  fileprivate mutating func forgetAbsent() -> [LiveBroadcasts.Strap] {
    guard straps.count > board.count else { return [] }
    let absent = straps.values.filter { !board.contains($0.address) }
    for strap in absent { straps[strap.address.value] = nil }
    return absent
  }

  /// Returns the reading of a strap. `isNew` is whether it was heard now.
  fileprivate mutating func reading(_ row: BroadcastRow, isNew: Bool = false) -> API.Reading {
    let address = row.last.address
    var strap = straps[address.value] ?? LiveBroadcasts.Strap(number: next, address: address)
    next = max(next, strap.number + 1)
    if isNew { strap.count += 1 }
    straps[address.value] = strap
    return API.Reading(strap.number, row, count: strap.count)
  }
}
