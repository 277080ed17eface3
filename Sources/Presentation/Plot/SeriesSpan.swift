import Pipeline
import TachogramCore

/// The time range of the plots of a series, from the start of its first interval to the end of the last one.
package struct SeriesSpan: Hashable {
  /// Time without intervals, in seconds from the start; empty if its length is unknown.
  package struct Gap: Hashable {
    package var start: Double
    package var end: Double
  }

  package let start: MonotonicTime
  package let seconds: Double
  package let gaps: [Gap]

  /// `nil` for a series without intervals.
  package init?(_ trace: SeriesTrace) {
    guard let first = trace.raw.first, let last = trace.raw.last else { return nil }
    let start = first.start
    self.start = start
    seconds = max(1e-3, Self.seconds(last.end, since: start))
    gaps = zip(trace.raw, trace.raw.dropFirst()).filter { $1.followsGap }.map {
      let end = Self.seconds($1.start, since: start)
      return Gap(start: min(end, Self.seconds($0.end, since: start)), end: end)
    }
  }

  /// Seconds from the start.
  package func seconds(_ time: MonotonicTime) -> Double { Self.seconds(time, since: start) }

  /// Returns the column, 0 ..< `count`, of an instant among columns of equal duration; clamped to the first or last column.
  package func column(of time: MonotonicTime, of count: Int) -> Int { column(of: seconds(time), of: count) }

  /// Returns the column, 0 ..< `count`, of a time in seconds from the start.
  package func column(of seconds: Double, of count: Int) -> Int {
    min(count - 1, max(0, Int((seconds / self.seconds * Double(count)).rounded(.down))))
  }

  private static func seconds(_ time: MonotonicTime, since start: MonotonicTime) -> Double {
    time.seconds(since: start)
  }
}
