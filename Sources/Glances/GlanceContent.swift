import TachogramCore

/// What a glance shows.
package struct GlanceContent: Hashable, Sendable {
  /// The age at which a reading is stale even if the station considered it current, in seconds: the interval at which glances
  /// are refreshed.
  package static let longestCurrent = 300.0

  /// The name of the strap or person; `nil` without a visible one.
  package let name: GlanceName?
  /// The last reading; `nil` if there is none.
  package let reading: GlanceReading?
  /// Whether the strap is connected.
  package let isConnected: Bool
  /// The points of the last 24 hours, in any order. Others are ignored.
  package let points: [GlancePoint]
  /// The time of rendering.
  package let time: WallTime
  /// The local time.
  package let clock: GlanceClock

  /// Creates the content of a glance. `name` may be any text that a radio sends. A reading without heart rate and stress level
  /// is none.
  package init(
    name: String?, reading: GlanceReading?, isConnected: Bool, points: [GlancePoint], time: WallTime,
    clock: GlanceClock,
  ) {
    self.name = name.flatMap { GlanceName($0) }
    self.reading = reading.flatMap { $0.heartRate == nil && $0.stress == nil ? nil : $0 }
    self.isConnected = isConnected
    self.points = points
    self.time = time
    self.clock = clock
  }

  /// Whether there is a reading, and whether it is current: the strap is connected, the station considers the reading current,
  /// and it is at most `longestCurrent` old.
  package var state: GlanceState {
    guard let reading else { return .noReading }
    let age = Double(time.microseconds(since: reading.time)) / 1e6
    return isConnected && reading.isCurrent && age <= Self.longestCurrent ? .current : .stale
  }
}
