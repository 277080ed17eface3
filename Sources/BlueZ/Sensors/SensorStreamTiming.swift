/// The time limits of measurement streams.
package struct SensorStreamTiming: Hashable, Sendable {
  /// The limit for a reply of the daemon, in real time.
  package var call: Duration = .seconds(5)
  /// The limit for the response of the strap to a request.
  package var response: Duration = .seconds(5)
  /// The limit for stopping all streams before the strap is disconnected.
  package var stop: Duration = .seconds(3)

  package init() {}
}
