import TachogramCore

/// A source that a test feeds while it is listened to.
final class FedSource: RadioSourceProtocol {
  private let stream: AsyncStream<StrapEvent>
  private let continuation: AsyncStream<StrapEvent>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(of: StrapEvent.self)
  }

  func events() -> AsyncStream<StrapEvent> { stream }
  func emit(_ events: some Sequence<StrapEvent>) { for event in events { continuation.yield(event) } }
  func stop() async { continuation.finish() }
}
