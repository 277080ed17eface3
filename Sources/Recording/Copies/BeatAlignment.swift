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

  /// Of these, beats that stand for each other: single ones that were corrected or edited in one of the two.
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
    (onlyFirst, onlySecond) = (left, right)
    guard walk() else { return false }
    onlyFirst += first.count - left
    onlySecond += second.count - right
    return true
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
        skipEdited(1, 1)
      } else if let (lefts, rights) = resumption() {
        differing += lefts + rights
        if lefts > 0, rights > 0, abs(time(first, left, lefts) - time(second, right, rights)) <= Self.editedTime {
          skipEdited(lefts, rights)
          continue
        }
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

  /// Whether one beat stands for another one here, and both go on alike.
  private func isEdited() -> Bool {
    let count = min(Self.editedStretch, first.count - left - 1, second.count - right - 1)
    return abs(first[left].length - second[right].length) <= Self.editedTime
      && (count == 0 || comparison.mostlyAgree(left + 1, right + 1, count: count))
  }

  private func time(_ beats: [RecordedBeat], _ place: Int, _ count: Int) -> Int64 {
    beats[place..<place + count].reduce(0) { $0 + $1.length }
  }

  private mutating func skipEdited(_ lefts: Int, _ rights: Int) {
    editedFirst += lefts
    editedSecond += rights
    skipLeft(lefts)
    skipRight(rights)
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
    for sum in 1...(2 * Self.reach) {
      for lefts in max(0, sum - Self.reach)...min(sum, Self.reach) {
        let (place, other) = (left + lefts, right + sum - lefts)
        guard place < first.count, other < second.count else { continue }
        let ahead = first[place].microseconds - second[other].microseconds - shift
        let count = min(comparison.resumeRun, first.count - place, second.count - other)
        if abs(ahead) <= Self.hole, comparison.agree(place, other, count: count) { return (lefts, sum - lefts) }
      }
    }
    return nil
  }
}
