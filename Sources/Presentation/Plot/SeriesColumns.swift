import Pipeline
import TachogramCore

/// Intervals over time in columns of equal time, each with its lowest and highest, so that a day has room in a picture
/// and no spike is lost.
package struct SeriesColumns {
  package struct Column: Hashable {
    /// In ms.
    package var low: Double
    package var high: Double
    package var sum: Double
    package var count: Int
    /// Whether a gap ends in it.
    package var followsGap: Bool

    package var mean: Double { sum / Double(count) }
  }

  /// `nil` where no interval ends.
  package private(set) var columns: [Column?]

  /// The intervals whose end lies in `span`.
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
