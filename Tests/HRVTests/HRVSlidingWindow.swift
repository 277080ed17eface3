import HRV
import TachogramCore

/// An engine with one window.
struct HRVSlidingWindow {
  private var engine: HRVEngine

  init(length: WindowLength, capacity: Int = 2048) {
    engine = HRVEngine(lengths: [length], capacity: capacity)
  }

  /// Beats in the window.
  var count: Int { snapshot(sessionStart: MonotonicTime(microseconds: 0)).metrics.count }

  mutating func append(_ nn: NNInterval, at time: MonotonicTime, followsGap: Bool, isArtifact: Bool) {
    engine.append(TimedInterval(nn, endingAt: time, followsGap: followsGap, isDoubtful: isArtifact))
  }

  func snapshot(sessionStart: MonotonicTime) -> HRVWindow {
    engine.snapshot(sessionStart: sessionStart)[0]
  }
}
