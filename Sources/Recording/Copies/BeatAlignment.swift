import TachogramCore

/// Lines up the beats of two recordings that may be copies of each other, in formats that keep less or more: intervals
/// rounded to milliseconds, a start to the second, gaps to the second or none. The intervals tell which beats are the same;
/// times only bound where to look. It costs O(n) for n beats where the recordings agree, and stops early where they do not.
package struct BeatAlignment: Sendable {
  /// Beats that both have.
  package private(set) var matched = 0
  /// Beats that only the first has, and only the second.
  package private(set) var onlyFirst = 0
  package private(set) var onlySecond = 0

  /// How far the intervals of one beat may be apart, in ticks of 1/1024 s: rounding to milliseconds moves one tick at most,
  /// cutting to them two.
  private static let tolerance = 2
  /// Beats in a row that must agree at the start, and again behind a difference.
  private static let (startRun, resumeRun) = (16, 6)
  /// How many beats a difference may be long on either side.
  private static let reach = 32
  /// How much time may be missing in a format without gaps before beats count as absent, in microseconds.
  private static let hole: Int64 = 5_000_000
  /// Differing beats that are allowed beside a quarter of the matched ones before the rest is not looked at.
  private static let fewest = 64

  private let first: [RecordedBeat]
  private let second: [RecordedBeat]
  /// Positions of the next beats.
  private var left = 0
  private var right = 0
  /// By how much the first is ahead of the second, in microseconds.
  private var shift: Int64 = 0

  /// `nil` where no stretch of the two agrees. Beats are in the order of time. `startTolerance` is how far the clocks of the
  /// two may be apart, in microseconds.
  package init?(_ first: [RecordedBeat], _ second: [RecordedBeat], startTolerance: Int64) {
    (self.first, self.second) = (first, second)
    guard findStart(within: startTolerance) else { return nil }
    (onlyFirst, onlySecond) = (left, right)
    guard walk() else { return nil }
    onlyFirst += first.count - left
    onlySecond += second.count - right
  }

  // MARK: - The first beats that agree

  private mutating func findStart(within tolerance: Int64) -> Bool {
    guard let begin = first.first?.microseconds, let otherBegin = second.first?.microseconds else { return false }
    // The beginning of the later one is looked for in the other.
    let isLater = begin >= otherBegin
    let (later, earlier) = isLater ? (first, second) : (second, first)
    let from = earlier.partitioned { $0.microseconds >= max(begin, otherBegin) - tolerance }
    let needed = min(Self.startRun, later.count, earlier.count - from)
    guard needed > 0 else { return false }
    for place in 0..<min(Self.reach, later.count) {
      let time = later[place].microseconds
      var best: Int?
      var other = earlier.partitioned { $0.microseconds >= time - tolerance }
      while other < earlier.count, earlier[other].microseconds <= time + tolerance {
        let agrees = isLater ? agree(place, other, count: needed) : agree(other, place, count: needed)
        if agrees, best.map({ abs(earlier[$0].microseconds - time) > abs(earlier[other].microseconds - time) }) ?? true
        {
          best = other
        }
        other += 1
      }
      if let best {
        (left, right) = isLater ? (place, best) : (best, place)
        shift = first[left].microseconds - second[right].microseconds
        return true
      }
    }
    return false
  }

  // MARK: - Walking along both

  /// `false` where the two turn out to differ.
  private mutating func walk() -> Bool {
    var differing = 0
    while left < first.count, right < second.count {
      let ahead = first[left].microseconds - second[right].microseconds - shift
      // Single beats may agree by chance. Where a format has no gaps, the intervals alone go on.
      if agree(left, right), abs(ahead) <= Self.hole || continues() {
        matched += 1
        shift = first[left].microseconds - second[right].microseconds
        (left, right) = (left + 1, right + 1)
        continue
      }
      if ahead > Self.hole {
        skipRight(1)
      } else if ahead < -Self.hole {
        skipLeft(1)
      } else if let (lefts, rights) = resumption() {
        differing += lefts + rights
        skipLeft(lefts)
        skipRight(rights)
      } else {
        differing += 1
        if ahead > 0 { skipRight(1) } else { skipLeft(1) }
      }
      if differing > Self.fewest + matched / 4 { return false }
    }
    return true
  }

  private func continues() -> Bool {
    agree(left, right, count: min(Self.resumeRun, first.count - left, second.count - right))
  }

  private mutating func skipLeft(_ count: Int) {
    left += count
    onlyFirst += count
  }

  private mutating func skipRight(_ count: Int) {
    right += count
    onlySecond += count
  }

  /// How many beats to skip on either side until the two agree again, as few as possible; at the ends the rest must agree.
  private func resumption() -> (Int, Int)? {
    for sum in 1...(2 * Self.reach) {
      for lefts in max(0, sum - Self.reach)...min(sum, Self.reach) {
        let (place, other) = (left + lefts, right + sum - lefts)
        guard place < first.count, other < second.count else { continue }
        let ahead = first[place].microseconds - second[other].microseconds - shift
        let count = min(Self.resumeRun, first.count - place, second.count - other)
        if abs(ahead) <= Self.hole, agree(place, other, count: count) { return (lefts, sum - lefts) }
      }
    }
    return nil
  }

  // MARK: - Beats

  private func agree(_ place: Int, _ other: Int) -> Bool {
    abs(Int(first[place].ticks) - Int(second[other].ticks)) <= Self.tolerance
  }

  private func agree(_ place: Int, _ other: Int, count: Int) -> Bool {
    guard place + count <= first.count, other + count <= second.count else { return false }
    return (0..<count).allSatisfy { agree(place + $0, other + $0) }
  }
}
