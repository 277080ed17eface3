#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The system calls that lock a file. Each returns 0 or the error number.
struct LockCalls: Sendable {
  /// `fcntl(2)` with the lock of a byte range.
  var bytes: @Sendable (_ descriptor: Int32, _ command: Int32, _ range: inout flock) -> Int32
  /// `flock(2)`.
  var file: @Sendable (_ descriptor: Int32, _ operation: Int32) -> Int32

  /// The calls of the system.
  static let system = LockCalls(
    bytes: { descriptor, command, range in fcntl(descriptor, command, &range) == 0 ? 0 : errno },
    file: { descriptor, operation in flock(descriptor, operation) == 0 ? 0 : errno })
}
