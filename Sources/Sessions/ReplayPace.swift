import CommandProcess
import Glibc
import Recording
import TachogramCore

/// The pace of a replay: unlimited, or a multiple of the capture's own pace.
package struct ReplayPace {
  /// The time between two commits of a paced replay, in seconds.
  private static let commitInterval = 1.0

  private let factor: Double?
  private var firstEntry: MonotonicTime?
  private var start = 0.0
  private var lastCommit = 0.0

  /// Creates a pace of `factor` times the capture's own pace, or an unlimited one if `factor` is `nil`.
  package init(factor: Double?) {
    self.factor = factor
  }

  /// Whether the pace is unlimited.
  var isUnbounded: Bool { factor == nil }

  /// Waits until the entry is due, or until Ctrl-C. Returns whether it is time to store.
  package mutating func wait(for time: MonotonicTime) throws -> Bool {
    guard let factor else { return false }
    guard let firstEntry else {
      firstEntry = time
      start = Self.now()
      lastCommit = start
      return false
    }
    let due = start + time.seconds(since: firstEntry) / factor
    while !Interrupt.isRequested {
      let left = due - Self.now()
      if left <= 0 { break }
      usleep(UInt32(min(left, 0.2) * 1e6))
    }
    let isDue = Self.now() - lastCommit >= Self.commitInterval
    if isDue { lastCommit = Self.now() }
    return isDue
  }

  /// Returns the time in seconds.
  private static func now() -> Double {
    Double(SystemTimeSource().now().monotonic.microseconds) / 1e6
  }
}
