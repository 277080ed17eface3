import Dispatch
import Glibc

/// Waits for the end: a signal, or somebody who asks for it.
final class Ending: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  /// Catches SIGINT, SIGTERM and SIGHUP from now on, and lets writing to a closed pipe fail instead of killing.
  init() {
    (stream, continuation) = AsyncStream<Void>.makeStream()
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      // The handler holds its source, which is to live as long as the process.
      source.setEventHandler { [continuation] in
        continuation.yield()
        _ = source
      }
      source.activate()
    }
  }

  /// Asks for the end.
  func end() {
    continuation.yield()
  }

  /// Returns when the end has come.
  func wait() async {
    for await _ in stream { return }
  }
}
