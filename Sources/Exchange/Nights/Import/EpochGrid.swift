import Sleep
import TachogramCore

/// The epochs of 30 s of a night that periods of any length are brought to. Stored nights have whole epochs.
struct EpochGrid {
  /// How much of an epoch is known before it has a stage.
  private static let least = SleepAxis.microsecondsPerEpoch / 2
  /// The longest night, in microseconds.
  static let longest = Int64(SleepAxis.maximumEpochCount) * SleepAxis.microsecondsPerEpoch
  /// The stages that say more than that a person is asleep.
  private static let exact: [SleepStage] = [.wake, .light, .deep, .rem, .nrem]

  let start: WallTime
  let count: Int
  /// The microseconds of each stage in each epoch, in the order of `SleepStage.allCases`.
  private var durations: [Int64]

  /// Creates a grid from a start to an end; an epoch at the end that is less than half complete is left out. Throws `tooLong`
  /// beyond a week, and `reversed` if no epoch is left.
  init(from start: WallTime, to end: WallTime) throws(NightReadError.Problem) {
    let length = end.microseconds(since: start)
    guard length <= Self.longest else { throw .tooLong }
    count = Int(max(0, length + Self.least) / SleepAxis.microsecondsPerEpoch)
    guard count > 0 else { throw .reversed }
    self.start = start
    durations = [Int64](repeating: 0, count: count * SleepStage.allCases.count)
  }

  /// Adds a period. What is outside the grid is left out.
  mutating func add(_ stage: SleepStage, from: WallTime, to: WallTime) {
    guard let column = SleepStage.allCases.firstIndex(of: stage) else { return }
    let epoch = SleepAxis.microsecondsPerEpoch
    let begin = max(0, from.microseconds(since: start))
    let end = min(Int64(count) * epoch, to.microseconds(since: start))
    guard begin < end else { return }
    for place in Int(begin / epoch)...Int((end - 1) / epoch) {
      let overlap = min(end, Int64(place + 1) * epoch) - max(begin, Int64(place) * epoch)
      durations[place * SleepStage.allCases.count + column] += overlap
    }
  }

  /// The stage of each epoch, and the number of epochs whose periods contradict each other.
  ///
  /// It is the longest stage of an epoch of which at least half is known; "asleep" counts where no period says more. Where
  /// periods overlap that say different things, it is `asleep` if all of them are sleep, else `unknown`.
  var stages: (stages: [SleepStage], contradictions: Int) {
    var contradictions = 0
    let stages = (0..<count).map { place -> SleepStage in
      let present = Self.exact.map { (stage: $0, duration: duration(of: $0, in: place)) }.filter { $0.duration > 0 }
      let known = present.reduce(0) { $0 + $1.duration }
      if known > SleepAxis.microsecondsPerEpoch, present.count > 1 {
        contradictions += 1
        return present.allSatisfy(\.stage.isSleep) ? .asleep : .unknown
      }
      let asleep = duration(of: .asleep, in: place)
      guard known + asleep >= Self.least else { return .unknown }
      guard let longest = present.max(by: { $0.duration < $1.duration }), known >= Self.least || asleep == 0 else {
        return .asleep
      }
      return longest.stage
    }
    return (stages, contradictions)
  }

  private func duration(of stage: SleepStage, in place: Int) -> Int64 {
    SleepStage.allCases.firstIndex(of: stage).map { durations[place * SleepStage.allCases.count + $0] } ?? 0
  }
}
