import TachogramCore

/// The times beside the intervals of a text, held against the intervals: gaps follow from them, and times that cannot be are
/// found. Whatever is wrong with a time, the interval beside it stays.
///
/// The *offset* of a time is by how much it is ahead of the sum of the intervals up to it. Gaps only ever raise it. Many loggers
/// note when a packet arrived instead of when the heart beat; such times run ahead and fall back from beat to beat, by some
/// seconds at most.
struct RRTextTimes {
  /// What stands in the column of times beside an interval.
  struct Cell {
    /// Rows before it, those without an interval among them.
    var row: Int
    /// In the unit of the file; `nil` where nothing can be read as a time.
    var time: Double?
  }

  /// A time.
  struct Point {
    /// Of its interval.
    var index: Int
    var row: Int
    /// In the unit of the file.
    var time: Double
    /// Of the intervals up to this one, in ms.
    var sum: Double
  }

  /// What makes milliseconds of times whose steps are mostly below so many times the interval in ms.
  private static let timeScales = [(0.03, 1000.0), (30, 1), (30_000, 1e-3), (.infinity, 1e-6)]
  /// Times that pass slower than the intervals, by more than this, are none: more cannot be covered than has passed.
  private static let slowest = 0.8
  /// Steps that are looked at together, as those within packets mean nothing.
  private static let stride = 16
  /// In ms.
  private static let day = 86_400_000.0
  /// So long after midnight, in ms, a time of day that began anew is known as such.
  private static let afterMidnight = 3_600_000.0
  /// Rows at least that a repeated block has.
  private static let shortestRepetition = 3

  private let intervals: [RRSeries.Interval]
  /// Whether they are written as moments, and not as numbers.
  private let areMoments: Bool
  private var points: [Point]
  /// The intervals whose times cannot be read.
  private var unreadable: [Int] = []
  /// What makes milliseconds of a time.
  private var scale = 1.0

  /// The times beside intervals, one of each.
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

  /// What the times show; `nil` where there are no intervals, or what stands there counts rows, which moments of a clock do
  /// not.
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

  /// Goes on counting where times of day begin anew at midnight.
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

  /// Why the times as a whole cannot be those of the intervals.
  private func refusal() -> RRTextTimesRefusal? {
    let rates = [1, Self.stride, points.count - 1].compactMap { stride -> Double? in
      guard stride < points.count else { return nil }
      return RRTextPlainSearch.median(
        (0..<(points.count - stride)).map { place in
          let (from, to) = (points[place], points[place + stride])
          return (to.time - from.time) * scale / (to.sum - from.sum)
        })
    }
    // Where intervals are missing, times pass faster than those that are there.
    guard let fastest = rates.max(), fastest < Self.slowest else { return nil }
    if rates.contains(where: { $0 < 0 }) { return .backwards }
    return .slow(rate: fastest, isSteady: rates.allSatisfy { $0 > 0 })
  }

  // MARK: - Repetitions

  /// Takes out rows that stand there once more: times that go back to those of earlier rows, with the same intervals. Gives
  /// their intervals.
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

  /// How many rows from `place` on are those of an earlier place once more.
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
