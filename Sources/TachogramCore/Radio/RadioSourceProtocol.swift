/// Where straps are heard: a radio, or a capture that stands for one.
package protocol RadioSourceProtocol: Sendable {
  /// The events of all straps from now on. The stream ends when the source has no more events or was stopped;
  /// whoever stops listening stops the source. A source is listened to once.
  func events() -> AsyncStream<StrapEvent>

  /// Ends the source in order: links that are up go down, and the stream ends after those events. Returns
  /// when all that the source held is given back.
  func stop() async
}
