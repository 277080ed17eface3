import Repository
import Sync
import TachogramCore

extension SpaceState {
  /// Continues with civil time if the own clock was far ahead of it, and applies the edits that waited until now. Does nothing
  /// while civil time is not synchronised.
  mutating func review(at now: WallTime, isClockSynchronised: Bool) throws {
    guard isClockSynchronised else { return }
    let own = HybridTime(wall: clock.wall, counter: clock.counter, station: id)
    if HybridClock.isAhead(own, of: now) {
      clock = HybridClock(station: id, after: now)
    } else if book.quarantined.isEmpty {
      return
    }
    while true {
      var reviewed = book
      let released = reviewed.review(at: now, isClockSynchronised: true)
      let content = SyncArrival.Content.edits(released.map(\.row), released.compactMap { SyncArrival.Effect($0) })
      let arrival = SyncArrival(sequence: 0, content)
      let outcomes = try inbox.apply([arrival], of: id.digest.bytes, kind: kind, clock: clockRow) { _ in
        rows(of: id, [])
      }
      if outcomes != nil {
        book = reviewed
        return
      }
      // A person changed one of the targets meanwhile.
      while try seal(at: now) > 0 {}
    }
  }

  /// The own edits of a time at which the clock was far ahead, which others do not apply.
  var editsToMakeAgain: [Edit] {
    book.quarantined.filter { $0.time.station == id }.sorted { $0.time < $1.time }
  }
}
