import TachogramCore

/// Converts the rows of a text to intervals, and finds their unit and gaps. A value that is not an interval counts once and
/// leaves a gap, so that no metric is computed across it.
struct RRTextTimeline {
  /// A relevant line.
  enum Row {
    case interval(line: Int, value: Double, time: Double?)
    /// The value is not an interval.
    case noInterval(line: Int, problem: String)
    /// The value is empty: it is missing, or the column has ended.
    case empty(line: Int)
    /// The row has no place for an interval.
    case otherKind
    case gap(milliseconds: Double, reason: BeatGap.Reason)

    /// The value of an interval, as written.
    var value: RRTextUnits.Value? {
      if case .interval(let line, let value, _) = self { RRTextUnits.Value(line: line, value: value) } else { nil }
    }
  }

  /// The rows before the next interval.
  private struct Between {
    /// The missing time according to the lines, in ms, 0 for a gap of unknown length, or `nil` if nothing is missing.
    var gap: Double?
    var reason = BeatGap.Reason.lost
    /// The number of values that are not intervals.
    var impossible = 0
    /// The lines of empty cells, which count only if another value follows in their column.
    var empty: [Int] = []

    mutating func addBreak() {
      gap = gap ?? 0
    }

    /// Counts a value that is not an interval, and the empty cells before it.
    mutating func addImpossible(_ series: inout RRSeries, line: Int, problem: String) {
      addEmpty(&series)
      series.add(line: line, problem: problem)
      impossible += 1
      addBreak()
    }

    /// Counts the empty cells, since a value follows in their column.
    mutating func addEmpty(_ series: inout RRSeries) {
      for line in empty { series.add(line: line, problem: "the cell of the interval is empty") }
      series.records += empty.count
      impossible += empty.count
      empty = []
    }
  }

  private static let longest = 65_535.0
  /// The longest plausible gap, in ms: ten years. Greater values are not milliseconds.
  private static let longestGap = 10 * 366 * 86_400_000.0

  private let rows: [Row]

  init(_ rows: [Row]) {
    self.rows = rows
  }

  /// Fills the series. Throws an error if the values cannot be intervals in the unit of the headings, or in any unit.
  func fill(_ series: inout RRSeries, _ layout: RRTextLayout) throws(RRSeriesRefusal) {
    let unit = try RRTextUnits(rows.compactMap(\.value)).unit(layout)
    series.dialect?.unit = unit
    var between = Between()
    var times: [RRTextTimes.Cell] = []
    var lines: [Int] = []
    for (number, row) in rows.enumerated() {
      switch row {
      case .otherKind:
        between.addBreak()
      case .empty(let line):
        between.empty.append(line)
        between.addBreak()
      case .noInterval(let line, let problem):
        between.addImpossible(&series, line: line, problem: problem)
      case .gap(let milliseconds, let reason):
        between.gap = min((between.gap ?? 0) + milliseconds, Self.longestGap)
        between.reason = reason
      case .interval(let line, let written, let time):
        let value = written * unit.scale
        guard value > 0, value <= Self.longest else {
          let problem = "\(value) ms is no RR interval (above 0, at most 65535)"
          between.addImpossible(&series, line: line, problem: problem)
          continue
        }
        between.addEmpty(&series)
        series.intervals.append(
          .init(
            milliseconds: value, gap: series.intervals.isEmpty ? nil : between.gap, reason: between.reason,
            impossibleBefore: between.impossible))
        times.append(.init(row: number, time: time))
        lines.append(line)
        between = Between()
      }
    }
    series.impossibleAtEnd = between.impossible
    guard layout.timeColumn != nil,
      let verdict = RRTextTimes(times, of: series.intervals, areMoments: layout.timesAreMoments).verdict()
    else { return }
    // Below a heading that names intervals, they are accepted all the same, for example beside times in minutes.
    if layout.heading == nil, let rate = verdict.refusal?.rateOfOtherValues {
      throw .contradictoryTimes(line: layout.start + 1, rate: rate)
    }
    apply(verdict, to: &series)
    series.firstUnusableTime = verdict.unusable.min().map { lines[$0] }
  }

  /// Adds the gaps that the times reveal, and marks the intervals whose time is impossible.
  private func apply(_ verdict: RRTextTimesVerdict, to series: inout RRSeries) {
    for (index, gap) in verdict.gaps where index > 0 {
      series.intervals[index].gap = max(series.intervals[index].gap ?? 0, gap)
    }
    for index in verdict.unusable { series.intervals[index].hasUnusableTime = true }
    series.dialect?.hasTimes = verdict.refusal == nil
    series.dialect?.timesRefusal = verdict.refusal
    series.dialect?.unusableTimes = verdict.unusable.count
  }
}
