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
    /// The numbers of the straps, by address.
    var numbers: [UInt64: Int] = [:]
    var counts: [UInt64: Int] = [:]
  }

  /// The number of the first strap: straps with a connection have lower ones.
  static let firstNumber = 1_000

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

  /// Handles what the radio received.
  func handle(_ update: BlueZBroadcasts.Update) {
    switch update {
    case .obstacle(let reason): state.withLock { $0.board.handle(obstacle: reason) }
    case .heard(let heard):
      let reading = state.withLock { state -> API.Reading? in
        guard state.board.handle(heard) else { return nil }
        state.counts[heard.address.value, default: 0] += 1
        let rows = state.board.rows(at: heard.monotonic)
        return rows.first { $0.last.address == heard.address }.map { state.reading($0) }
      }
      guard let reading else { return }
      publish(reading, at: heard.wall)
      revive.yield()
    }
  }

  /// Publishes the readings that have become stale since the last call.
  func watch() {
    let now = time.now()
    let stale = state.withLock { state in state.board.newlyStale(at: now.monotonic).map { state.reading($0) } }
    for reading in stale { publish(reading, at: now.wall) }
  }

  /// Returns when the first of the current readings becomes stale, or `nil` if none is current.
  func nextStale() -> MonotonicTime? {
    let now = time.now().monotonic
    return state.withLock { state in state.board.rows(at: now).filter { !$0.isStale }.map(\.staleTime).min() }
  }

  /// All readings.
  func readings() -> [API.Reading] {
    let now = time.now().monotonic
    return state.withLock { state in
      let rows = state.board.rows(at: now)
      let known = Set(rows.map(\.last.address.value))
      state.counts = state.counts.filter { known.contains($0.key) }
      return rows.map { state.reading($0) }.sorted { $0.strap < $1.strap }
    }
  }

  private func publish(_ reading: API.Reading, at time: WallTime) {
    feed.publish(.reading(reading))
    if !outlets.isEmpty { outlets.send(OutletReading(reading, at: time, label: nil)) }
  }
}

extension LiveBroadcasts.State {
  fileprivate mutating func reading(_ row: BroadcastRow) -> API.Reading {
    let address = row.last.address
    let number = numbers[address.value] ?? LiveBroadcasts.firstNumber + numbers.count
    numbers[address.value] = number
    return API.Reading(number, row, count: counts[address.value] ?? 0)
  }
}
