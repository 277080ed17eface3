import Synchronization
import TachogramCore

/// A source that emits scripted events and then ends or stays silent until it is stopped.
package final class ScriptedSource: RadioSourceProtocol {
  private let script: [StrapEvent]
  private let ends: Bool
  private let continuation = Mutex<AsyncStream<StrapEvent>.Continuation?>(nil)

  /// Creates a source. With `ends`, the stream ends after the last event.
  package init(_ script: [StrapEvent], ends: Bool = true) {
    self.script = script
    self.ends = ends
  }

  package func events() -> AsyncStream<StrapEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: StrapEvent.self)
    for event in script { continuation.yield(event) }
    if ends { continuation.finish() } else { self.continuation.withLock { $0 = continuation } }
    return stream
  }

  package func stop() async {
    continuation.withLock { $0?.finish() }
  }
}
