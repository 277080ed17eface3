import Statistics
import TachogramCore

/// Searches for the first beats that two recordings have in common.
struct BeatStartSearch {
  /// The positions in the first and in the second recording.
  typealias Start = (first: Int, second: Int)

  /// The number of beats at the beginning of one recording that may be missing or edited in the other, and the divisor of the
  /// number of beats in the shorter recording that allows more of them.
  private static let (reach, share) = (32, 5)
  /// The length of a stretch in which most beats must agree if no run does.
  private static let stretch = 64
  /// The number of consecutive beats that must agree if times are not considered.
  private static let distinctRun = 32

  let comparison: BeatComparison

  private var first: [RecordedBeat] { comparison.first }
  private var second: [RecordedBeat] { comparison.second }

  /// Returns the beginning of the later recording in the other one, as near in time as possible, within `tolerance`
  /// microseconds.
  func atTheSameTime(within tolerance: Int64) -> Start? {
    guard let begin = first.first?.microseconds, let otherBegin = second.first?.microseconds else { return nil }
    let isLater = begin >= otherBegin
    let (later, earlier) = isLater ? (first, second) : (second, first)
    let from = earlier.partitioned { $0.microseconds >= max(begin, otherBegin) - tolerance }
    let needed = min(comparison.startRun, later.count, earlier.count - from)
    guard needed > 0 else { return nil }
    func nearest(_ place: Int, _ agrees: (_ first: Int, _ second: Int) -> Bool) -> Start? {
      let time = later[place].microseconds
      var best: Int?
      var other = earlier.partitioned { $0.microseconds >= time - tolerance }
      while other < earlier.count, earlier[other].microseconds <= time + tolerance {
        let isNearer =
          best.map { abs(earlier[$0].microseconds - time) > abs(earlier[other].microseconds - time) } ?? true
        if isNearer, isLater ? agrees(place, other) : agrees(other, place) { best = other }
        other += 1
      }
      return best.map { isLater ? (place, $0) : ($0, place) }
    }
    let longest = max(Self.reach, min(later.count, earlier.count - from) / Self.share)
    for place in 0..<min(longest, later.count) {
      if let start = nearest(place, { comparison.agree($0, $1, count: needed) }) { return start }
    }
    for place in 0..<min(Self.reach, later.count) {
      if let start = nearest(place, { comparison.mostlyAgree($0, $1, count: Self.stretch) }) { return start }
    }
    return nil
  }

  /// Returns the beginning of one recording at any time in the other, if it occurs only once: without times, repeated beats
  /// prove nothing. It takes a comparison of a few beats at each position of the other recording, at most 36 times.
  func anywhere() -> Start? {
    for isFirst in [true, false] {
      let (probe, whole) = isFirst ? (first, second) : (second, first)
      func places(_ place: Int, _ agrees: (_ first: Int, _ second: Int) -> Bool) -> [Int] {
        whole.indices.filter { isFirst ? agrees(place, $0) : agrees($0, place) }
      }
      func start(_ places: [Int], _ place: Int) -> Start? {
        guard places.count == 1 else { return nil }
        return isFirst ? (place, places[0]) : (places[0], place)
      }
      for place in 0..<min(Self.reach, probe.count) {
        let found = places(place) { comparison.agree($0, $1, count: Self.distinctRun) }
        if !found.isEmpty { return start(found, place) }
      }
      for place in stride(from: 0, to: min(Self.reach, probe.count), by: 8) {
        let found = places(place) { comparison.mostlyAgree($0, $1, count: Self.stretch) }
        if !found.isEmpty { return start(found, place) }
      }
    }
    return nil
  }
}
