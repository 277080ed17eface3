import Glibc
import Synchronization

/// The lines of a long-running command on standard output. A closed reader or a full disk does not end the process; a callback
/// is called, so that the command ends in order.
package final class LineSink: Sendable {
  /// The `errno` of the first write that failed.
  private let failure = Mutex<Int32?>(nil)
  private let onFailure: @Sendable () -> Void

  /// Creates a sink. `onFailure` is called once.
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

  /// Throws the error that prevented writing, without a message if the reader has closed the pipe, as `head` does. Lines that
  /// were not read after a requested end are only reported.
  package func check() throws {
    guard let code = failure.withLock({ $0 }) else { return }
    if code == ETIMEDOUT {
      return StandardStreams.error("tachogram: standard output is closed: the last lines were not written")
    }
    throw CommandFailure(code == EPIPE ? "" : StandardStreams.wording(code), code: .failed)
  }
}
