import Dispatch
import Glibc

/// The end of the program, requested by a signal or by `end()`.
final class Ending: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  /// Catches SIGINT, SIGTERM and SIGHUP from now on, and makes writing to a closed pipe fail instead of ending the process.
  init() {
    (stream, continuation) = AsyncStream<Void>.makeStream()
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      // The handler retains its source for the lifetime of the process.
      source.setEventHandler { [continuation] in
        continuation.yield()
        _ = source
      }
      source.activate()
    }
  }

  /// Requests the end.
  func end() {
    continuation.yield()
  }

  /// Waits until the end is requested.
  func wait() async {
    for await _ in stream { return }
  }
}
