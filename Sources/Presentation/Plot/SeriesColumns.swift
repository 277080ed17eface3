import Pipeline
import TachogramCore

/// Intervals over time in columns of equal duration, each with its lowest and highest value, so that a plot of a whole day
/// still shows every spike.
package struct SeriesColumns {
  package struct Column: Hashable {
    /// The lowest and highest interval and the sum of the intervals, in ms.
    package var low: Double
    package var high: Double
    package var sum: Double
    package var count: Int
    /// Whether a gap ends in the column.
    package var followsGap: Bool

    package var mean: Double { sum / Double(count) }
  }

  /// The columns; `nil` for those in which no interval ends.
  package private(set) var columns: [Column?]

  /// Groups intervals into columns of `span` by their end.
  package init(_ intervals: [SeriesTrace.Interval], over span: SeriesSpan, columns count: Int) {
    columns = [Column?](repeating: nil, count: max(1, count))
    for interval in intervals {
      let place = span.column(of: interval.end, of: columns.count)
      let value = interval.milliseconds
      guard var column = columns[place] else {
        columns[place] = Column(low: value, high: value, sum: value, count: 1, followsGap: interval.followsGap)
        continue
      }
      column.low = min(column.low, value)
      column.high = max(column.high, value)
      column.sum += value
      column.count += 1
      column.followsGap = column.followsGap || interval.followsGap
      columns[place] = column
    }
  }
}
