import Glibc

/// The clocks of this machine: CLOCK_BOOTTIME, which continues while the machine is suspended, and civil time.
package struct SystemTimeSource: TimeSourceProtocol {
  package init() {}

  package func now() -> (monotonic: MonotonicTime, wall: WallTime) {
    (MonotonicTime(microseconds: Self.read(CLOCK_BOOTTIME)), WallTime(microseconds: Self.read(CLOCK_REALTIME)))
  }

  package func sleep(until time: MonotonicTime) async throws {
    while true {
      let left = time.microseconds(since: now().monotonic)
      if left <= 0 { return try Task.checkCancellation() }
      try await Task.sleep(for: .microseconds(left))
    }
  }

  /// The identifier of the current boot, or `nil` if the kernel does not report it.
  package static var bootID: String? {
    guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return nil }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 64)
    guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
    let text = buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
    return String(decoding: text, as: UTF8.self)
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
