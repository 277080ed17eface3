import HRV
import TachogramCore
import TachogramTestKit

/// A sliding window by its definition: it keeps the beats in a plain array, and computes everything anew.
struct WindowModel {
  let length: Int
  let capacity: Int
  private(set) var beats: [SimulatedBeat] = []

  init(length: Int, capacity: Int) {
    self.length = length
    self.capacity = capacity
  }

  mutating func append(_ beat: SimulatedBeat) {
    beats.append(beat)
    let start = beat.time.microseconds - Int64(length) * 1_000_000
    beats = beats.suffix(capacity).filter { $0.time.microseconds > start }
  }

  var metrics: TimeDomainMetrics {
    HRVBatch.metrics(
      of: beats.map(\.nn.milliseconds), breaksBefore: Set(beats.indices.filter { beats[$0].followsGap }),
    )
  }

  var artifactShare: Double {
    beats.isEmpty ? 0 : Double(beats.filter(\.isArtifact).count) / Double(beats.count)
  }

  /// The share of the span from `length` before the last beat, or from `sessionStart`, that lies within an interval of 273 to
  /// 2000 ms.
  func coverage(sessionStart: MonotonicTime) -> Double {
    guard let end = beats.last?.time.microseconds else { return 0 }
    let start = max(end - Int64(length) * 1_000_000, sessionStart.microseconds)
    guard end > start else { return 0 }
    let covered = beats.filter { $0.nn.milliseconds >= 273 && $0.nn.milliseconds <= 2000 }.map { beat in
      let last = Double(beat.time.microseconds)
      return max(0, last - max(last - beat.nn.milliseconds * 1000, Double(start)))
    }
    return min(1, covered.reduce(0, +) / Double(end - start))
  }
}
