import TachogramCore

/// The hybrid logical clock of a station. Its times increase, also when civil time steps back.
package struct HybridClock: Hashable, Sendable {
  /// A time further ahead of civil time is not trusted, in microseconds: a day.
  package static let mostAhead: Int64 = 86_400_000_000

  package let station: StationID
  /// The last time that the clock returned or observed.
  package private(set) var wall: WallTime
  package private(set) var counter: UInt32

  /// Creates a clock that continues after a time.
  package init(station: StationID, after wall: WallTime = WallTime(microseconds: .min), counter: UInt32 = 0) {
    self.station = station
    self.wall = wall
    self.counter = counter
  }

  /// Returns the time of a new event.
  package mutating func next(at now: WallTime) -> HybridTime {
    if now > wall {
      (wall, counter) = (now, 0)
    } else if counter < UInt32.max {
      counter += 1
    } else {
      (wall, counter) = (wall.advanced(byMicroseconds: 1), 0)
    }
    return HybridTime(wall: wall, counter: counter, station: station)
  }

  /// Moves the clock to the time of an edit that was applied, so that later ones of this station replace it.
  package mutating func observe(_ time: HybridTime) {
    guard (time.wall, time.counter) > (wall, counter) else { return }
    (wall, counter) = (time.wall, time.counter)
  }

  /// Whether a time is more than a day ahead of civil time.
  package static func isAhead(_ time: HybridTime, of now: WallTime) -> Bool {
    time.wall.microseconds(since: now) > mostAhead
  }
}
