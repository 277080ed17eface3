import TachogramCore

/// The last 24 hours of a glance: its points on a grid of five minutes, ranges and trend.
package struct GlanceSummary: Hashable, Sendable {
  /// The number of places of the grid: 24 hours.
  package static let slots = 288
  private static let slotMicroseconds: Int64 = 300_000_000

  /// The start of the first place of the grid.
  package let start: WallTime
  /// The stress level of each place, 0 … 100; `nil` in gaps.
  package let stressLevels: [Double?]
  /// The mean heart rate of each place, in bpm; `nil` in gaps.
  package let heartRates: [Double?]
  /// The range of the stress level, 0 … 100; `nil` if there is none.
  package let stressLevel: GlanceRange?
  /// The range of the 5-minute means of the heart rate, in bpm; `nil` if there is none.
  package let heartRate: GlanceRange?
  /// The trend of the stress level in the last 6 hours; `nil` with too few points.
  package let trend: GlanceTrend?

  /// Computes the summary of the 24 hours up to the time of rendering. The grid is aligned to whole five minutes of UTC, and its
  /// last place contains the time of rendering. If several points are in one place, their mean counts.
  package init(_ content: GlanceContent) {
    // The first place is representable for every time.
    let last = max(
      GlanceClock.floor(content.time.microseconds, by: Self.slotMicroseconds), Int64.min / 300_000_000 + 300)
    let first = last - Int64(Self.slots - 1)
    start = WallTime(microseconds: first * Self.slotMicroseconds)
    var levels = [[Double]](repeating: [], count: Self.slots)
    var rates = levels
    for point in content.points where point.time <= content.time {
      let place = GlanceClock.floor(point.time.microseconds, by: Self.slotMicroseconds) - first
      guard (0..<Int64(Self.slots)).contains(place) else { continue }
      if let level = point.stressLevel { levels[Int(place)].append(level) }
      if let rate = point.heartRate { rates[Int(place)].append(rate) }
    }
    stressLevels = levels.map(Self.mean)
    heartRates = rates.map(Self.mean)
    stressLevel = GlanceRange(stressLevels)
    heartRate = GlanceRange(heartRates)
    trend = GlanceTrend(stressLevels)
  }

  /// Returns the start of a place of the grid.
  package func time(of place: Int) -> WallTime {
    start.advanced(byMicroseconds: Int64(place) * Self.slotMicroseconds)
  }

  private static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }
}
