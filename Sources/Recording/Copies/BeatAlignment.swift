import TachogramCore

/// Lines up the beats of two recordings that may be copies of each other, in formats that keep less or more: intervals
/// rounded to milliseconds, a start to the second, gaps to the second or none. The intervals show which beats are the same;
/// times only bound where to look. It costs O(n) for n beats where the recordings agree, and stops early where they do not.
package struct BeatAlignment: Sendable {
  /// Beats that both have.
  package private(set) var matched = 0
  /// Beats that only the first has, and only the second.
  package private(set) var onlyFirst = 0
  package private(set) var onlySecond = 0

  /// Of these, beats that stand for each other: what was corrected or edited in one of the two.
  package private(set) var editedFirst = 0
  package private(set) var editedSecond = 0
  /// By how much the first is later than the second, in microseconds, where no clock explains it; else 0.
  package private(set) var offset: Int64 = 0

  /// How many beats a difference may be long on either side.
  private static let reach = 32
  /// How much time may be missing in a format without gaps before beats count as absent, in microseconds.
  private static let hole: Int64 = 5_000_000
  /// Differing beats that are allowed beside a quarter of the matched ones before the rest is not looked at.
  private static let fewest = 64
  /// Beats behind an edited one, most of which must agree.
  private static let editedStretch = 12
  /// By how much edited beats may be longer or shorter than what they stand for, in microseconds.
  private static let editedTime: Int64 = 1_000_000
  /// Of the beats of the shorter one, one in so many may lie in stretches that were edited as a whole.
  private static let editedShare = 5
  /// How many searches for the end of a long stretch may fail before the next is not made: each costs O(n).
  private static let mostSearches = 8
  /// Beats in a row that must agree behind a long stretch that only one has.
  private static let distinctRun = 32
  /// Fewer beats are not recognised at another time.
  private static let fewestElsewhere = 120

  private let comparison: BeatComparison
  private var first: [RecordedBeat] { comparison.first }
  private var second: [RecordedBeat] { comparison.second }
  /// Positions of the next beats.
  private var left = 0
  private var right = 0
  /// By how much the first is ahead of the second, in microseconds.
  private var shift: Int64 = 0
  /// Searches for the end of a long stretch that found none.
  private var searches = 0

  /// `nil` where no stretch of the two agrees. Beats are in the order of time. `startTolerance` is how far the clocks of the
  /// two may be apart, in microseconds; `step` what the intervals of the coarser one are multiples of, in milliseconds.
  package init?(_ first: [RecordedBeat], _ second: [RecordedBeat], startTolerance: Int64, step: Int = 1) {
    comparison = BeatComparison(first, second, step: step)
    guard let start = BeatStartSearch(comparison: comparison).atTheSameTime(within: startTolerance) else { return nil }
    guard alignAll(from: start) else { return nil }
  }

  /// Two recordings of which one is said to have been at another time, for which no clock is the reason: a start that was
  /// typed wrong, or in another time zone. `nil` unless at least 120 beats agree, and four fifths of either, and they do not
  /// repeat themselves.
  package init?(elsewhere first: [RecordedBeat], _ second: [RecordedBeat], step: Int = 1) {
    comparison = BeatComparison(first, second, step: step)
    let counts = (least: min(first.count, second.count), most: max(first.count, second.count))
    guard counts.least >= Self.fewestElsewhere, counts.least * 5 >= counts.most * 4 else { return nil }
    guard let start = BeatStartSearch(comparison: comparison).anywhere() else { return nil }
    guard alignAll(from: start), matched >= Self.fewestElsewhere, matched * 5 >= counts.most * 4 else { return nil }
    offset = first[start.first].microseconds - second[start.second].microseconds
  }

  private mutating func alignAll(from start: BeatStartSearch.Start) -> Bool {
    (left, right) = start
    shift = first[left].microseconds - second[right].microseconds
    matchBeforeStart()
    guard walk() else { return false }
    onlyFirst += first.count - left
    onlySecond += second.count - right
    return true
  }

  /// What lies before the start: where both have beats, each stands for the one in the same place.
  private mutating func matchBeforeStart() {
    let count = min(left, right)
    (left, right) = (left - count, right - count)
    (onlyFirst, onlySecond) = (left, right)
    replace(count, count)
  }

  // MARK: - Walking along both

  /// `false` where the two turn out to differ.
  private mutating func walk() -> Bool {
    var differing = 0
    while left < first.count, right < second.count {
      let ahead = first[left].microseconds - second[right].microseconds - shift
      // Single beats may agree by chance. Where a format has no gaps, the intervals alone go on.
      if comparison.agree(left, right), abs(ahead) <= Self.hole || continues() {
        matched += 1
        shift = first[left].microseconds - second[right].microseconds
        (left, right) = (left + 1, right + 1)
        continue
      }
      if ahead > Self.hole {
        skipRight(1)
      } else if ahead < -Self.hole {
        skipLeft(1)
      } else if isEdited() {
        differing += 1
        replace(1, 1)
      } else if let (lefts, rights) = resumption() {
        let isEdit =
          lefts == rights
          || lefts > 0 && rights > 0 && abs(time(first, left, lefts) - time(second, right, rights)) <= Self.editedTime
        if isEdit {
          differing += replace(lefts, rights)
          continue
        }
        differing += lefts + rights
        skipLeft(lefts)
        skipRight(rights)
      } else if let (lefts, rights) = longStretch() {
        // Its length says nothing of the rest; all together may not be longer than a share of the recording.
        if lefts == rights {
          replace(lefts, rights)
        } else {
          differing += 1
          skipLeft(lefts)
          skipRight(rights)
        }
      } else {
        differing += 1
        if ahead > 0 { skipRight(1) } else { skipLeft(1) }
      }
      if differing > Self.fewest + matched / 4 { return false }
    }
    return true
  }

  /// Whether one beat stands for another one here, and both go on alike.
  private func isEdited() -> Bool {
    let count = min(Self.editedStretch, first.count - left - 1, second.count - right - 1)
    return abs(first[left].length - second[right].length) <= Self.editedTime
      && (count == 0 || comparison.mostlyAgree(left + 1, right + 1, count: count))
  }

  private func time(_ beats: [RecordedBeat], _ place: Int, _ count: Int) -> Int64 {
    beats[place..<place + count].reduce(0) { $0 + $1.length }
  }

  /// Passes over beats that stand for each other; returns how many of them differ. Of as many on either side each stands for
  /// the one in the same place.
  @discardableResult
  private mutating func replace(_ lefts: Int, _ rights: Int) -> Int {
    guard lefts == rights else {
      countEdited(lefts, rights)
      (left, right) = (left + lefts, right + rights)
      return max(lefts, rights)
    }
    let differing = (0..<lefts).count { !comparison.agree(left + $0, right + $0) }
    countEdited(differing, differing)
    matched += lefts - differing
    (left, right) = (left + lefts, right + rights)
    return differing
  }

  private mutating func countEdited(_ lefts: Int, _ rights: Int) {
    editedFirst += lefts
    editedSecond += rights
    onlyFirst += lefts
    onlySecond += rights
  }

  /// How many beats to skip on either side where more differ than `reach`: as many, where somebody edited a whole stretch, or
  /// those of one side, where the other lacks them and its times do not say so. As few as possible.
  private mutating func longStretch() -> (Int, Int)? {
    guard searches < Self.mostSearches else { return nil }
    let mostEdited = min(first.count, second.count) / Self.editedShare - editedFirst
    let rest = (first.count - left, second.count - right)
    var times: (Int64, Int64) = (0, 0)
    for count in 1...max(rest.0, rest.1) {
      times.0 += count <= rest.0 ? first[left + count - 1].length : 0
      times.1 += count <= rest.1 ? second[right + count - 1].length : 0
      if count <= mostEdited, isEditedStretch(count, rest, times) { return (count, count) }
      guard count > Self.reach else { continue }
      if (onlyFirst + count) * 2 <= first.count, comparison.agree(left + count, right, count: Self.distinctRun),
        isInTime(count, 0)
      {
        return (count, 0)
      }
      if (onlySecond + count) * 2 <= second.count, comparison.agree(left, right + count, count: Self.distinctRun),
        isInTime(0, count)
      {
        return (0, count)
      }
    }
    searches += 1
    return nil
  }

  /// Whether so many beats, which take `times`, stand for as many others: as many agree behind them as at the start, or both end.
  private func isEditedStretch(_ count: Int, _ rest: (Int, Int), _ times: (Int64, Int64)) -> Bool {
    guard abs(times.0 - times.1) <= max(Self.editedTime, min(times.0, times.1) / 2) else { return false }
    return rest == (count, count) || comparison.agree(left + count, right + count, count: comparison.startRun)
  }

  private func continues() -> Bool {
    comparison.agree(left, right, count: min(comparison.resumeRun, first.count - left, second.count - right))
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
    let endTogether = first.count - left == second.count - right
    for sum in 1...(2 * Self.reach) {
      for lefts in max(0, sum - Self.reach)...min(sum, Self.reach) {
        let rights = sum - lefts
        let (place, other) = (left + lefts, right + rights)
        guard place < first.count, other < second.count else { continue }
        let count = min(comparison.resumeRun, first.count - place, second.count - other)
        // The last few agree by chance sooner than that as many lack on both sides.
        if count < comparison.resumeRun, endTogether, lefts != rights { continue }
        if comparison.agree(place, other, count: count), isInTime(lefts, rights) { return (lefts, rights) }
      }
    }
    return nil
  }

  /// Whether the two are at the same time again behind beats that are skipped, or would be if these were there in both: in a
  /// format without times, what is missing makes all that follows earlier.
  private func isInTime(_ lefts: Int, _ rights: Int) -> Bool {
    let ahead = first[left + lefts].microseconds - second[right + rights].microseconds - shift
    return abs(ahead) <= Self.hole
      || abs(ahead - time(first, left, lefts) + time(second, right, rights)) <= Self.hole
  }
}
