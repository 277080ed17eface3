import TachogramCore

/// Aligns the beats of two recordings that may be copies of each other, in formats of different precision: intervals rounded to
/// milliseconds, a start to the second, gaps to the second or no gaps. The intervals show which beats are the same; times only
/// limit the search. The alignment takes O(n) for n beats if the recordings agree, and stops early if they do not.
package struct BeatAlignment: Sendable {
  /// The number of beats in both recordings.
  package private(set) var matched = 0
  /// The numbers of beats only in the first recording, and only in the second.
  package private(set) var onlyFirst = 0
  package private(set) var onlySecond = 0

  /// The numbers of these beats that correspond to each other: they were corrected or edited in one of the two recordings.
  package private(set) var editedFirst = 0
  package private(set) var editedSecond = 0
  /// The time in microseconds by which the first recording is later than the second, if clocks cannot explain it; else 0.
  package private(set) var offset: Int64 = 0

  /// The greatest number of beats in a difference, on either side.
  private static let reach = 32
  /// The time in microseconds that may be missing in a format without gaps before beats count as absent.
  private static let hole: Int64 = 5_000_000
  /// The number of differing beats that is allowed, in addition to a quarter of the matched beats, before the alignment stops.
  private static let fewest = 64
  /// The number of beats after an edited one of which most must agree.
  private static let editedStretch = 12
  /// The greatest difference in microseconds between the lengths of edited beats and of the beats they correspond to.
  private static let editedTime: Int64 = 1_000_000
  /// The divisor of the number of beats in the shorter recording that may lie in stretches edited as a whole.
  private static let editedShare = 5
  /// The number of searches for the end of a long stretch that may fail before the alignment stops. Each search takes O(n).
  private static let mostSearches = 8
  /// The number of consecutive beats that must agree after a long stretch that is in only one recording.
  private static let distinctRun = 32
  /// The least number of beats for recognising a recording at a different time.
  private static let fewestElsewhere = 120

  private let comparison: BeatComparison
  private var first: [RecordedBeat] { comparison.first }
  private var second: [RecordedBeat] { comparison.second }
  /// The positions of the next beats.
  private var left = 0
  private var right = 0
  /// The time in microseconds by which the first recording is ahead of the second.
  private var shift: Int64 = 0
  /// The number of failed searches for the end of a long stretch.
  private var searches = 0

  /// Aligns two recordings, or returns `nil` if no stretch of them agrees. Beats are in chronological order. `startTolerance`
  /// is the greatest difference between the clocks of the two recordings in microseconds; the intervals of the coarser
  /// recording are multiples of `step` in milliseconds.
  package init?(_ first: [RecordedBeat], _ second: [RecordedBeat], startTolerance: Int64, step: Int = 1) {
    comparison = BeatComparison(first, second, step: step)
    guard let start = BeatStartSearch(comparison: comparison).atTheSameTime(within: startTolerance) else { return nil }
    guard alignAll(from: start) else { return nil }
  }

  /// Aligns two recordings with different times that clocks cannot explain: a mistyped start, or a start in another time zone.
  /// Returns `nil` unless at least 120 beats and four fifths of either recording agree, and the beats are not repetitive.
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

  /// Matches the beats before the start: where both recordings have beats, they correspond by position.
  private mutating func matchBeforeStart() {
    let count = min(left, right)
    (left, right) = (left - count, right - count)
    (onlyFirst, onlySecond) = (left, right)
    replace(count, count)
  }

  // MARK: - Walking along both recordings

  /// Aligns the beats from the start on. Returns `false` if the recordings turn out to differ.
  private mutating func walk() -> Bool {
    var differing = 0
    while left < first.count, right < second.count {
      let ahead = first[left].microseconds - second[right].microseconds - shift
      // Single beats may agree by chance. In a format without gaps, only the following intervals decide.
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
        // The length of a stretch does not affect the rest; the total length is limited to a share of the recording.
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

  /// Whether one beat corresponds to another one here, and the following beats agree.
  private func isEdited() -> Bool {
    let count = min(Self.editedStretch, first.count - left - 1, second.count - right - 1)
    return abs(first[left].length - second[right].length) <= Self.editedTime
      && (count == 0 || comparison.mostlyAgree(left + 1, right + 1, count: count))
  }

  private func time(_ beats: [RecordedBeat], _ place: Int, _ count: Int) -> Int64 {
    beats[place..<place + count].reduce(0) { $0 + $1.length }
  }

  /// Skips beats that correspond to each other, and returns the number of them that differ. If there are as many on both sides,
  /// they correspond by position.
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

  /// Returns the numbers of beats to skip on either side of a difference longer than `reach`, as small as possible: equal
  /// numbers if a whole stretch was edited, or beats of one side if the other lacks them and its times do not show it.
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

  /// Whether `count` beats, which last `times`, correspond to as many others: as many beats agree after them as at the start,
  /// or both recordings end.
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

  /// Returns the least numbers of beats to skip on either side until the two agree again; at the ends the rest must agree.
  private func resumption() -> (Int, Int)? {
    let endTogether = first.count - left == second.count - right
    for sum in 1...(2 * Self.reach) {
      for lefts in max(0, sum - Self.reach)...min(sum, Self.reach) {
        let rights = sum - lefts
        let (place, other) = (left + lefts, right + rights)
        guard place < first.count, other < second.count else { continue }
        let count = min(comparison.resumeRun, first.count - place, second.count - other)
        // A chance agreement of the last few beats is more likely than that equal numbers are missing on both sides.
        if count < comparison.resumeRun, endTogether, lefts != rights { continue }
        if comparison.agree(place, other, count: count), isInTime(lefts, rights) { return (lefts, rights) }
      }
    }
    return nil
  }

  /// Whether the two are at the same time again after skipped beats, or would be if both contained these: in a format without
  /// times, missing beats shift all later beats to an earlier time.
  private func isInTime(_ lefts: Int, _ rights: Int) -> Bool {
    let ahead = first[left + lefts].microseconds - second[right + rights].microseconds - shift
    return abs(ahead) <= Self.hole
      || abs(ahead - time(first, left, lefts) + time(second, right, rights)) <= Self.hole
  }
}
