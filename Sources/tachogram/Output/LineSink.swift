import Glibc
import Synchronization

/// Lines on standard output of what goes on for long. When nobody reads them any more, or the disk is full, the process is not
/// ended: what goes on is told, so that it comes to its end in order.
final class LineSink: Sendable {
  /// The `errno` of the first write that failed.
  private let failure = Mutex<Int32?>(nil)
  private let onFailure: @Sendable () -> Void

  /// `onFailure` is called once.
  init(onFailure: @escaping @Sendable () -> Void) {
    self.onFailure = onFailure
  }

  /// Writes a text with its line end; does nothing after a failure.
  func write(_ text: String) {
    let hasFailed = failure.withLock { failure in
      guard failure == nil, let code = StandardStreams.tryOut(text) else { return false }
      failure = code
      return true
    }
    if hasFailed { onFailure() }
  }

  /// Throws what kept lines from being written; without words when the reader had enough, as `head` has.
  func check() throws {
    guard let code = failure.withLock({ $0 }) else { return }
    throw CommandFailure(
      code == EPIPE ? "" : "cannot write to standard output: \(String(cString: strerror(code)))", code: .failed)
  }
}
