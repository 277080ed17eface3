#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The calls of the system that lock a file. Each returns 0, or the error number.
struct LockCalls: Sendable {
  /// `fcntl(2)` with a lock of some bytes.
  var bytes: @Sendable (_ descriptor: Int32, _ command: Int32, _ range: inout flock) -> Int32
  /// `flock(2)`.
  var file: @Sendable (_ descriptor: Int32, _ operation: Int32) -> Int32

  /// Those of the system itself.
  static let system = LockCalls(
    bytes: { descriptor, command, range in fcntl(descriptor, command, &range) == 0 ? 0 : errno },
    file: { descriptor, operation in flock(descriptor, operation) == 0 ? 0 : errno })
}
