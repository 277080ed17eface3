import TachogramCore

/// Compares the times beside the intervals of a text with the intervals, to find gaps and impossible times. An interval is kept
/// whatever is wrong with its time.
///
/// The *offset* of a time is the difference between it and the sum of the intervals up to it. Gaps can only raise it. Many
/// loggers note the arrival of a packet instead of the time of the beat; such times run ahead and fall back from beat to beat,
/// by a few seconds at most.
struct RRTextTimes {
  /// The cell in the column of times beside an interval.
  struct Cell {
    /// The number of rows before it, including those without an interval.
    var row: Int
    /// The time in the unit of the file, or `nil` if the cell cannot be read as a time.
    var time: Double?
  }

  /// A time.
  struct Point {
    /// The index of its interval.
    var index: Int
    var row: Int
    /// The time in the unit of the file.
    var time: Double
    /// The sum of the intervals up to this one, in ms.
    var sum: Double
  }

  /// The factors that convert times to milliseconds, each with the limit below which most ratios of steps to intervals in ms
  /// lie.
  private static let timeScales = [(0.03, 1000.0), (30, 1), (30_000, 1e-3), (.infinity, 1e-6)]
  /// The least ratio of the pace of times to that of the intervals. Slower times are not valid, since intervals cannot cover
  /// more time than has passed.
  private static let slowest = 0.8
  /// The number of steps that are considered together, since steps within a packet carry no information.
  private static let stride = 16
  /// A day in ms.
  private static let day = 86_400_000.0
  /// The time after midnight, in ms, within which a restarted time of day is recognised.
  private static let afterMidnight = 3_600_000.0
  /// The least number of rows in a repeated block.
  private static let shortestRepetition = 3

  private let intervals: [RRSeries.Interval]
  /// Whether the times are written as moments, not as numbers.
  private let areMoments: Bool
  private var points: [Point]
  /// The indices of intervals whose times cannot be read.
  private var unreadable: [Int] = []
  /// The factor that converts a time to milliseconds.
  private var scale = 1.0

  /// Creates times from the cells beside intervals, one for each.
  init(_ cells: [Cell], of intervals: [RRSeries.Interval], areMoments: Bool) {
    self.intervals = intervals
    self.areMoments = areMoments
    points = []
    var sum = 0.0
    for (index, interval) in intervals.enumerated() {
      sum += interval.milliseconds
      if let time = cells[index].time {
        points.append(Point(index: index, row: cells[index].row, time: time, sum: sum))
      } else {
        unreadable.append(index)
      }
    }
  }

  /// Returns the result of the comparison, or `nil` if there are no intervals or the column counts rows, which moments of a
  /// clock do not.
  consuming func verdict() -> RRTextTimesVerdict? {
    if areTooMany(unreadable.count, of: intervals.count) {
      return RRTextTimesVerdict(refusal: .unreadable(count: unreadable.count, of: intervals.count))
    }
    guard let first = points.first else { return nil }
    let steps = zip(points, points.dropFirst()).map {
      (time: $1.time - $0.time, sum: $1.sum - $0.sum, rows: Double($1.row - $0.row))
    }
    if !areMoments, steps.count > 1, steps.allSatisfy({ $0.time == 1 || $0.time == $0.rows }) { return nil }
    if steps.isEmpty { return RRTextTimesVerdict() }
    if points.allSatisfy({ $0.time == first.time }) { return RRTextTimesVerdict(refusal: .constant) }
    let ratio = RRTextPlainSearch.median(steps.filter { $0.time > 0 }.map { $0.time / $0.sum }) ?? 1
    scale = Self.timeScales.first { ratio < $0.0 }?.1 ?? 1
    unwrapDays()
    if let refusal = refusal() { return RRTextTimesVerdict(refusal: refusal) }
    let repeated = removeRepetitions()
    let falls = zip(points, points.dropFirst()).count { $1.time < $0.time }
    if areTooMany(falls, of: points.count) {
      return RRTextTimesVerdict(
        refusal: .unsteady(count: falls + unreadable.count, of: intervals.count, unreadable: unreadable.count))
    }
    let clock = RRTextClock(
      points.map { ($0.time - first.time) * scale - ($0.sum - first.sum) },
      of: points.map { intervals[$0.index].milliseconds })
    let unusable = clock.unusable.indices.filter { clock.unusable[$0] }
    let (count, total) = (unusable.count + unreadable.count, points.count + unreadable.count)
    if areTooMany(count, of: total) {
      return RRTextTimesVerdict(refusal: .unsteady(count: count, of: total, unreadable: unreadable.count))
    }
    var verdict = RRTextTimesVerdict()
    verdict.unusable = Set(repeated.joined()).union(unusable.map { points[$0].index }).union(unreadable)
    for place in clock.breaks { verdict.gaps[points[place].index] = 0 }
    for block in repeated {
      verdict.gaps[block.lowerBound] = 0
      if block.upperBound < intervals.count { verdict.gaps[block.upperBound] = 0 }
    }
    for (place, gap) in clock.gaps { verdict.gaps[points[place].index] = gap }
    return verdict
  }

  private func areTooMany(_ count: Int, of total: Int) -> Bool {
    Double(count) > RRTextTimesVerdict.mostUnusable * Double(total)
  }

  // MARK: - The column as a whole

  /// Adds days where times of day restart at midnight.
  private mutating func unwrapDays() {
    let day = Self.day / scale
    var added = 0.0
    var last = points[0].time
    for place in points.indices {
      let time = points[place].time
      if time < last, (0...Self.afterMidnight / scale).contains(time + day - last) { added += day }
      last = time
      points[place].time += added
    }
  }

  /// Returns the reason why the times as a whole cannot be those of the intervals.
  private func refusal() -> RRTextTimesRefusal? {
    let rates = [1, Self.stride, points.count - 1].compactMap { stride -> Double? in
      guard stride < points.count else { return nil }
      return RRTextPlainSearch.median(
        (0..<(points.count - stride)).map { place in
          let (from, to) = (points[place], points[place + stride])
          return (to.time - from.time) * scale / (to.sum - from.sum)
        })
    }
    // Where intervals are missing, times advance faster than the intervals that are present.
    guard let fastest = rates.max(), fastest < Self.slowest else { return nil }
    if rates.contains(where: { $0 < 0 }) { return .backwards }
    return .slow(rate: fastest, isSteady: rates.allSatisfy { $0 > 0 })
  }

  // MARK: - Repetitions

  /// Removes repeated rows: times that return to those of earlier rows, with the same intervals. Returns the ranges of their
  /// intervals.
  private mutating func removeRepetitions() -> [Range<Int>] {
    guard zip(points, points.dropFirst()).contains(where: { $1.time < $0.time }) else { return [] }
    let places = Dictionary(points.indices.map { (points[$0].time, $0) }) { first, _ in first }
    var blocks: [Range<Int>] = []
    var kept: [Point] = []
    var (place, removed) = (0, 0.0)
    while place < points.count {
      let length = place > 0 && points[place].time < points[place - 1].time ? repetition(at: place, places) : 0
      if length >= Self.shortestRepetition {
        let last = points[place + length - 1]
        blocks.append(points[place].index..<(last.index + 1))
        removed += last.sum - points[place - 1].sum
        place += length
      } else {
        kept.append(points[place])
        kept[kept.count - 1].sum -= removed
        place += 1
      }
    }
    points = kept
    return blocks
  }

  /// Returns the number of rows from `place` on that repeat earlier rows.
  private func repetition(at place: Int, _ places: [Double: Int]) -> Int {
    guard let earlier = places[points[place].time], earlier < place else { return 0 }
    var length = 0
    while earlier + length < place, place + length < points.count {
      let (one, other) = (points[earlier + length], points[place + length])
      guard one.time == other.time, intervals[one.index].milliseconds == intervals[other.index].milliseconds else {
        break
      }
      length += 1
    }
    return length
  }
}
