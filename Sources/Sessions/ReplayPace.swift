import CommandProcess
import Glibc
import Recording
import TachogramCore

/// The pace of a replay: as fast as it goes, or a multiple of the capture's own time.
package struct ReplayPace {
  /// How often a paced replay stores what it has, in seconds.
  private static let commitInterval = 1.0

  private let factor: Double?
  private var firstEntry: MonotonicTime?
  private var start = 0.0
  private var lastCommit = 0.0

  /// `factor` of the capture's own time; `nil` for full speed.
  package init(factor: Double?) {
    self.factor = factor
  }

  /// Whether it is as fast as it goes.
  var isUnbounded: Bool { factor == nil }

  /// Waits until the entry is due; Ctrl-C ends the wait. Whether it is time to store.
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

  /// In seconds.
  private static func now() -> Double {
    Double(SystemTimeSource().now().monotonic.microseconds) / 1e6
  }
}
