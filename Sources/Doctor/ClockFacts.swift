import BluetoothKernel
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
    isSynchronised = Self.kernelState()
    hasRealTimeClock = tree.names(in: "sys/class/rtc")?.isEmpty == false
    now = Int64(time(nil))
  }

  /// Calls adjtimex(2), which requires no privilege for reading, although a sandbox may refuse it. Swift's Glibc module omits
  /// `sys/timex.h`, so the function is found by name, and the layout of `struct timex` is assumed: the modes, four longs and
  /// the status, each at a word boundary.
  private static func kernelState() -> Bool? {
    typealias AdjustTime = @convention(c) (UnsafeMutableRawPointer) -> Int32
    let timeError: Int32 = 5
    let unsynchronised: Int32 = 0x40
    guard let symbol = dlsym(nil, "adjtimex") else { return nil }
    let adjustTime = unsafeBitCast(symbol, to: AdjustTime.self)
    // 208 bytes with 64-bit words.
    return withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { memory -> Bool? in
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      guard let base = memory.baseAddress else { return nil }
      let result = adjustTime(base)
      guard result >= 0 else { return nil }
      let status = memory.load(fromByteOffset: 5 * MemoryLayout<Int>.size, as: Int32.self)
      return result != timeError && status & unsynchronised == 0
    }
  }
}
