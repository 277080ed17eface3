import TachogramCore

/// Makes intervals of the rows of a text: finds unit and gaps. What is no interval leaves a break, so that nothing is computed
/// across it.
struct RRTextTimeline {
  /// A line that matters.
  enum Row {
    case interval(line: Int, value: Double, time: Double?)
    case unreadable
    case gap(milliseconds: Double, reason: BeatGap.Reason)

    /// The value of an interval, as it is written.
    var value: RRTextUnits.Value? {
      if case .interval(let line, let value, _) = self { RRTextUnits.Value(line: line, value: value) } else { nil }
    }
  }

  private static let longest = 65_535.0
  /// The longest gap that is believed, in ms: ten years. What claims more is no number of milliseconds.
  private static let longestGap = 10 * 366 * 86_400_000.0

  private let rows: [Row]

  init(_ rows: [Row]) {
    self.rows = rows
  }

  /// Fills the series; throws when the values cannot be intervals in the unit that the headings give, or in any.
  func fill(_ series: inout RRSeries, _ layout: RRTextLayout) throws(RRSeriesRefusal) {
    let unit = try RRTextUnits(rows.compactMap(\.value)).unit(layout)
    series.dialect?.unit = unit
    // The time missing before the next interval as far as the lines between say, 0 for a break of unknown length.
    var gap: Double?
    var reason = BeatGap.Reason.lost
    var impossible = 0
    var times: [Double?] = []
    var lines: [Int] = []
    for row in rows {
      switch row {
      case .unreadable:
        gap = gap ?? 0
      case .gap(let milliseconds, let why):
        gap = min((gap ?? 0) + milliseconds, Self.longestGap)
        reason = why
      case .interval(let line, let number, let time):
        let value = number * unit.scale
        guard value > 0, value <= Self.longest else {
          series.add(line: line, problem: "\(value) ms is no RR interval (above 0, at most 65535)")
          gap = gap ?? 0
          impossible += 1
          continue
        }
        series.intervals.append(
          .init(
            milliseconds: value, gap: series.intervals.isEmpty ? nil : gap, reason: reason,
            impossibleBefore: impossible))
        impossible = 0
        times.append(time)
        lines.append(line)
        gap = nil
        reason = .lost
      }
    }
    series.impossibleAtEnd = impossible
    guard let verdict = RRTextTimes(times, of: series.intervals).verdict() else { return }
    apply(verdict, to: &series)
    series.firstUnusableTime = verdict.unusable.min().map { lines[$0] }
  }

  /// Adds the gaps that times tell, and marks the intervals whose time cannot be.
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
