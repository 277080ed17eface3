import TachogramCore

/// Follows the clock that wrote the times of a text by their offsets: the time in ms by which each is ahead of the sum of the
/// intervals up to it. A gap raises the offset permanently, by more than its usual variation. Setting the clock also changes it
/// permanently, but reveals no gap: no metric is computed across it. A temporary change is a wrong time.
struct RRTextClock {
  /// The shortest gap that times reveal, in ms.
  private static let shortestGap = 250.0
  /// The longest leap that is considered a gap, in ms: 30 days. A clock that has not been set yet is decades off.
  private static let longestGap = 30 * 86_400_000.0
  /// The number of times on either side of a gap that must agree on it.
  private static let sides = 8
  /// The limit in ms for exact times. Times that fall back by more than this in one of twenty steps are those of packets.
  private static let exactness = 50.0
  /// The number of following times that decide whether a change is permanent.
  private static let lookAhead = 32
  /// The number of consecutive times of which most must share an offset, so that it is not due to chance.
  private static let inRow = 9
  /// The relative drift that is tolerated in a slow clock.
  private static let drift = 0.001
  /// The tolerance of correct times in ms: 8 s, for packets of a few seconds that arrive up to 4 s late, and up to 30 s if
  /// times usually vary as much.
  private static let tolerance = 8000.0...30_000

  /// Whether each time is impossible.
  private(set) var unusable: [Bool]
  /// The places, from 0, before which the clock was set.
  private(set) var breaks: [Int] = []
  /// The places before which time is missing, and the missing time in ms.
  private(set) var gaps: [(place: Int, milliseconds: Double)] = []

  private let offsets: [Double]
  private let tolerance: Double
  /// The places of possible times, and their offsets as if the clock had never been set.
  private var good: [(place: Int, offset: Double)] = []
  private var shift = 0.0
  /// The final offset of the times: the greatest that most of `inRow` consecutive times had.
  private var level: Double?
  private let intervals: [Double]

  /// Follows times with these offsets, beside intervals of these lengths in ms.
  init(_ offsets: [Double], of intervals: [Double]) {
    self.offsets = offsets
    self.intervals = intervals
    unusable = Array(repeating: false, count: offsets.count)
    tolerance = Self.tolerance(offsets)
    for place in offsets.indices { judge(place) }
    findGaps()
  }

  /// Returns three times the usual distance of offsets from the greatest recent one.
  private static func tolerance(_ offsets: [Double]) -> Double {
    let behind = offsets.indices.dropFirst().map { place in
      max(0, (offsets[max(0, place - lookAhead)..<place].max() ?? 0) - offsets[place])
    }
    return min(tolerance.upperBound, max(tolerance.lowerBound, 3 * (RRTextPlainSearch.median(behind) ?? 0)))
  }

  // MARK: - Impossible times

  private mutating func judge(_ place: Int) {
    let offset = offsets[place] - shift
    guard let level else {
      unusable[place] = isForAMoment(place, isAhead: true)
      if !unusable[place] { add(place, offset) }
      return
    }
    let isGap = offset > level && offset - level <= Self.longestGap
    if abs(offset - level) <= tolerance || isGap && place + 1 == offsets.count {
      add(place, offset)
    } else if isForAMoment(place, isAhead: offset > level) {
      unusable[place] = true
    } else if isGap {
      add(place, offset)
    } else {
      unusable[place] = true
      breaks.append(place)
      shift += offset - level
      add(place, level)
    }
  }

  private mutating func add(_ place: Int, _ offset: Double) {
    good.append((place, offset))
    let last = good.suffix(Self.inRow).map(\.offset).sorted()
    let usual = last[last.count / 2]
    level = level.map { max($0 - Self.drift * intervals[place], usual) } ?? usual
  }

  /// Whether most of the following times are not in line with this one. A time that is ahead may be followed by a gap.
  private func isForAMoment(_ place: Int, isAhead: Bool) -> Bool {
    let next = offsets[(place + 1)..<min(offsets.count, place + 1 + Self.lookAhead)]
    if next.isEmpty { return place > 0 }
    let other = next.count { isAhead ? $0 < offsets[place] - tolerance : abs($0 - offsets[place]) > tolerance }
    return 2 * other > next.count
  }

  // MARK: - Gaps

  private mutating func findGaps() {
    // Gaps only make times run ahead, so a decrease shows the variation of the times.
    let fallen = zip(good, good.dropFirst()).map { max(0, $0.offset - $1.offset) }.sorted()
    let noise = fallen.isEmpty ? 0 : fallen[fallen.count * 19 / 20]
    let needed = noise > Self.exactness ? Self.sides : 1
    for index in good.indices.dropFirst() where index >= needed && index + needed <= good.count {
      let before = good[max(0, index - Self.sides)..<index].map(\.offset).max() ?? 0
      let after = good[index..<min(good.count, index + Self.sides)].map(\.offset).min() ?? 0
      let place = good[index].place
      let ahead = min(after - before, Self.longestGap)
      if ahead > max(Self.shortestGap, intervals[place] / 2, 2 * noise) { gaps.append((place, ahead)) }
    }
  }
}
