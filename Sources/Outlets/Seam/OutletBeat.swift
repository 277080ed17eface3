import TachogramCore

/// A beat, for other systems.
package struct OutletBeat: Hashable, Sendable {
  /// The number of the strap in this run of the station.
  package var strap: Int
  /// The session, and the number of the beat in it.
  package var session: String
  package var sequence: Int64
  /// The end of the interval.
  package var time: WallTime
  /// The interval, in ms.
  package var interval: Double
  /// Whether the beat is an artifact, or otherwise doubtful.
  package var isMarked: Bool
  /// Whether beats are missing before it.
  package var followsGap: Bool

  package init(
    strap: Int, session: String, sequence: Int64, time: WallTime, interval: Double, isMarked: Bool, followsGap: Bool
  ) {
    (self.strap, self.session, self.sequence, self.time) = (strap, session, sequence, time)
    (self.interval, self.isMarked, self.followsGap) = (interval, isMarked, followsGap)
  }
}
