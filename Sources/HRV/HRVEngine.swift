import TachogramCore

/// The time-domain metrics of a session while it goes on: sliding windows of 60, 120 and 300 seconds, and the whole.
package struct HRVEngine: Sendable {
  /// Nominal lengths of the windows in seconds, in the order in which they are given out.
  package static let lengths = [60, 120, 300]

  /// The whole session.
  package private(set) var session = TimeDomainAccumulator()
  private var windows: [HRVSlidingWindow]
  private var last: NNInterval?

  /// `capacity`: the beats that a window holds at most, at least 1.
  package init(capacity: Int = 2048) {
    self.windows = Self.lengths.map { HRVSlidingWindow(length: $0, capacity: capacity) }
  }

  /// Adds the beat whose interval ended at `time`. Times do not decrease from beat to beat. With `followsGap` it forms
  /// no pair with the beat before it.
  package mutating func append(_ nn: NNInterval, at time: MonotonicTime, followsGap: Bool, isArtifact: Bool) {
    session.add(nn, after: followsGap ? nil : last)
    last = nn
    for index in windows.indices {
      windows[index].append(nn, at: time, followsGap: followsGap, isArtifact: isArtifact)
    }
  }

  /// The windows as they are at the last beat, in the order of `lengths`; `sessionStart` is where the session's wall
  /// span begins.
  package func snapshot(sessionStart: MonotonicTime) -> [HRVWindow] {
    windows.map { $0.snapshot(sessionStart: sessionStart) }
  }

  /// The window of `length` seconds as it is at the last beat; `nil` when there is none of that length.
  package func snapshot(length: Int, sessionStart: MonotonicTime) -> HRVWindow? {
    windows.first { $0.length == length }?.snapshot(sessionStart: sessionStart)
  }
}
