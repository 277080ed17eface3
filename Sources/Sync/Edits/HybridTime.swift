import TachogramCore

/// A time of a hybrid logical clock (Kulkarni et al., "Logical Physical Clocks and Consistent Snapshots in Globally Distributed
/// Databases", 2014): near civil time, and later than all times that its station had seen. Ties are decided by the station.
package struct HybridTime: Hashable, Sendable {
  package let wall: WallTime
  /// Distinguishes times of the same microsecond.
  package let counter: UInt32
  package let station: StationID

  package init(wall: WallTime, counter: UInt32, station: StationID) {
    self.wall = wall
    self.counter = counter
    self.station = station
  }
}

extension HybridTime: Comparable {
  package static func < (left: HybridTime, right: HybridTime) -> Bool {
    (left.wall, left.counter, left.station) < (right.wall, right.counter, right.station)
  }
}
