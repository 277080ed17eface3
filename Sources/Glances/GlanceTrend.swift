import Statistics

/// The trend of the stress level in the last 6 hours.
///
/// The slope is the median of the slopes between all pairs of points (Theil–Sen; Sen 1968, Journal of the American Statistical
/// Association 63:1379–1389), so that single outliers and gaps do not matter. `change` is the slope multiplied by the time
/// between the first and the last point: the trend is not extrapolated to hours without points. It is rising from 10 levels on,
/// falling from −10 on, and steady in between. There is no trend with fewer than 12 points (one hour), or if they cover less
/// than 2 hours.
package struct GlanceTrend: Hashable, Sendable {
  /// The direction of a trend.
  package enum Direction: String, Hashable, Sendable, CaseIterable, Codable {
    case rising, steady, falling
  }

  /// The number of 5-minute points in the time of the trend.
  package static let slots = 72
  /// The least number of points with a stress level.
  package static let leastPoints = 12
  /// The least time between the first and the last point, in hours.
  package static let leastHours = 2.0
  /// The change from which a trend is rising or falling, in levels.
  package static let threshold = 10.0

  /// The direction.
  package let direction: Direction
  /// The change of the stress level between the first and the last point, in levels; 0 … 100 is the whole scale.
  package let change: Double
  /// The time between the first and the last point, in hours.
  package let hours: Double

  /// Computes the trend of stress levels at intervals of five minutes, the oldest first. Only the last 72 are used. Returns
  /// `nil` with too few points.
  init?(_ levels: [Double?]) {
    let points = levels.suffix(Self.slots).enumerated().compactMap { place, level in level.map { (place, $0) } }
    guard points.count >= Self.leastPoints, let first = points.first, let last = points.last else { return nil }
    let hours = Double(last.0 - first.0) / 12
    guard hours >= Self.leastHours else { return nil }
    var slopes: [Double] = []
    slopes.reserveCapacity(points.count * (points.count - 1) / 2)
    for (index, later) in points.enumerated() {
      for earlier in points[..<index] { slopes.append((later.1 - earlier.1) / Double(later.0 - earlier.0)) }
    }
    slopes.sort()
    guard let slope = Quantile.ofSorted(slopes, at: 0.5) else { return nil }
    self.hours = hours
    change = slope * 12 * hours
    direction = change >= Self.threshold ? .rising : change <= -Self.threshold ? .falling : .steady
  }
}
