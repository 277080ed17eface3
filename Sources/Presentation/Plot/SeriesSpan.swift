import Pipeline
import TachogramCore

/// The time that the plots of a series show: from where its first interval begins to where the last one ends.
package struct SeriesSpan: Hashable {
  /// Time without intervals, in seconds from the start; of no length where it is not known how long it was.
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

  /// Which of `count` columns of equal time an instant is in, from 0; the first or the last one when it is in none.
  package func column(of time: MonotonicTime, of count: Int) -> Int { column(of: seconds(time), of: count) }

  /// Which of `count` columns so many seconds from the start are in.
  package func column(of seconds: Double, of count: Int) -> Int {
    min(count - 1, max(0, Int((seconds / self.seconds * Double(count)).rounded(.down))))
  }

  private static func seconds(_ time: MonotonicTime, since start: MonotonicTime) -> Double {
    time.seconds(since: start)
  }
}
