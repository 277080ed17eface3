/// A source of strap events: a radio, or a capture that replaces one.
package protocol RadioSourceProtocol: Sendable {
  /// Returns the events of all straps from now on. The stream ends when the source has no more events or was stopped. Ending
  /// the iteration stops the source. May be called only once.
  func events() -> AsyncStream<StrapEvent>

  /// Stops the source in order: active links end, and the stream finishes after those events. Returns when all resources of the
  /// source are released.
  func stop() async
}
