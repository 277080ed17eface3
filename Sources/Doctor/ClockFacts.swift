import BluetoothKernel
import FileSystem
import Glibc

/// The state of the civil clock.
package struct ClockFacts: Hashable, Sendable {
  /// Whether the clock is synchronised, or `nil` if the kernel does not report it.
  package var isSynchronised: Bool?
  /// Whether the machine has a battery-backed clock.
  package var hasRealTimeClock = true
  /// Seconds since 1970-01-01T00:00:00Z.
  package var now: Int64 = 1_767_225_600

  package init() {}

  /// Asks the kernel; `tree` is where `/sys` is.
  package init(_ tree: SystemTree) {
    isSynchronised = SystemClock.isSynchronised
    hasRealTimeClock = tree.names(in: "sys/class/rtc")?.isEmpty == false
    now = Int64(time(nil))
  }
}
