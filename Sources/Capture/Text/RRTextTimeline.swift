import TachogramCore

/// Makes intervals of the rows of a text: finds unit and gaps. What is no interval leaves a break, so that nothing is computed
/// across it.
///
/// Times tell a gap where they run ahead of the sum of the intervals for good. Many loggers note when a packet arrived instead
/// of when the heart beat; such times run ahead and fall back from beat to beat. So the offset between time and sum must be
/// larger in all of the next beats than in all of those before, by more than what it usually varies.
struct RRTextTimeline {
  /// A line that matters.
  enum Row {
    case interval(line: Int, value: Double, time: Double?)
    case unreadable
    case gap(milliseconds: Double, reason: BeatGap.Reason)
  }

  private static let longest = 65_535.0
  /// The shortest gap that is told from times, in ms.
  private static let shortestGap = 250.0
  /// The longest gap that is believed, in ms: ten years. What claims more is no number of milliseconds.
  private static let longestGap = 10 * 366 * 86_400_000.0
  /// Beats on either side of a gap in which times must agree on it.
  private static let sides = 8
  /// Times that fall back by more than this, in ms, in one of twenty steps are those of packets.
  private static let exactness = 50.0
  /// What makes milliseconds of times whose steps are mostly below so many times the interval in ms.
  private static let timeScales = [(0.03, 1000.0), (30, 1), (30_000, 1e-3), (.infinity, 1e-6)]

  private let rows: [Row]

  init(_ rows: [Row]) {
    self.rows = rows
  }

  /// Fills the series; throws when the values cannot be intervals in the unit that the headings give, or in any.
  func fill(_ series: inout RRSeries, _ layout: RRTextLayout) throws(RRSeriesRefusal) {
    let unit = try unit(layout)
    series.dialect?.unit = unit
    // The time missing before the next interval as far as the lines between say, 0 for a break of unknown length.
    var gap: Double?
    var reason = BeatGap.Reason.lost
    var times: [Double?] = []
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
          continue
        }
        series.intervals.append(
          .init(milliseconds: value, gap: series.intervals.isEmpty ? nil : gap, reason: reason))
        times.append(time)
        gap = nil
        reason = .lost
      }
    }
    series.dialect?.hasTimes = addGaps(times, &series.intervals)
  }

  // MARK: - Unit

  private func unit(_ layout: RRTextLayout) throws(RRSeriesRefusal) -> RRTextDialect.Unit {
    let values = rows.compactMap { row -> Double? in
      if case .interval(_, let value, _) = row, value > 0 { value } else { nil }
    }
    guard let median = RRTextPlainSearch.median(values) else { return layout.unit ?? .milliseconds }
    let plausible = RRTextPlainSearch.plausible
    if let unit = layout.unit {
      guard plausible.contains(median * unit.scale) else {
        throw .contradictoryUnit(
          line: layout.start + 1, name: layout.heading?.name ?? "", unit: unit, median: median)
      }
      return unit
    }
    if plausible.contains(median) { return .milliseconds }
    if plausible.contains(median * 1000) { return .seconds }
    throw .implausible(line: layout.start + 1, median: median)
  }

  // MARK: - Gaps told from times

  /// Adds the gaps that times tell, and returns whether there are times.
  private func addGaps(_ times: [Double?], _ intervals: inout [RRSeries.Interval]) -> Bool {
    // Index, time and sum of the intervals so far.
    var points: [(index: Int, time: Double, sum: Double)] = []
    var sum = 0.0
    for (index, interval) in intervals.enumerated() {
      sum += interval.milliseconds
      if let time = times[index] { points.append((index, time, sum)) }
    }
    let steps = zip(points, points.dropFirst()).map { (time: $1.time - $0.time, sum: $1.sum - $0.sum) }
    // A column that counts lines.
    if steps.count > 1, steps.allSatisfy({ $0.time == 1 }) { return false }
    guard let first = points.first else { return false }
    let ratio = RRTextPlainSearch.median(steps.filter { $0.time > 0 }.map { $0.time / $0.sum }) ?? 1
    let scale = Self.timeScales.first { ratio < $0.0 }?.1 ?? 1
    // Gaps only ever make times run ahead, so what falls back is how times vary.
    let fallen = steps.map { max(0, $0.sum - $0.time * scale) }.sorted()
    let noise = fallen.isEmpty ? 0 : fallen[fallen.count * 19 / 20]
    let needed = noise > Self.exactness ? Self.sides : 1
    let offsets = points.map { ($0.time - first.time) * scale - ($0.sum - first.sum) }
    for place in points.indices.dropFirst() {
      guard place >= needed, place + needed <= offsets.count else { continue }
      let before = offsets[max(0, place - Self.sides)..<place].max() ?? 0
      let after = offsets[place..<min(offsets.count, place + Self.sides)].min() ?? 0
      let index = points[place].index
      let shortest = max(Self.shortestGap, intervals[index].milliseconds / 2, 2 * noise)
      let ahead = min(after - before, Self.longestGap)
      if ahead > shortest { intervals[index].gap = max(intervals[index].gap ?? 0, ahead) }
    }
    return true
  }
}
