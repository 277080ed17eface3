import Glibc
import Synchronization

/// Lines on standard output of what goes on for long. When nobody reads them any more, or the disk is full, the process is not
/// ended: what continues is notified, so that it ends in order.
package final class LineSink: Sendable {
  /// The `errno` of the first write that failed.
  private let failure = Mutex<Int32?>(nil)
  private let onFailure: @Sendable () -> Void

  /// `onFailure` is called once.
  package init(onFailure: @escaping @Sendable () -> Void) {
    self.onFailure = onFailure
  }

  /// Writes a text with its line end; does nothing after a failure.
  package func write(_ text: String) {
    let hasFailed = failure.withLock { failure in
      guard failure == nil, let code = StandardStreams.tryOut(text) else { return false }
      failure = code
      return true
    }
    if hasFailed { onFailure() }
  }

  /// Throws what kept lines from being written; without words when the reader had enough, as `head` has. Lines that nobody took
  /// once the user had asked to stop are only reported.
  package func check() throws {
    guard let code = failure.withLock({ $0 }) else { return }
    if code == ETIMEDOUT {
      return StandardStreams.error("tachogram: standard output is closed: the last lines were not written")
    }
    throw CommandFailure(code == EPIPE ? "" : StandardStreams.wording(code), code: .failed)
  }
}
