/// The pauses between attempts to connect: 1, 2, 4, 8, 16, 32, 60, 60 … s, each multiplied by a random factor from 0.8 to 1.2
/// and limited to 60 s, so that the clients of a restarted broker do not return all at once.
package struct MQTTBackoff: Sendable {
  /// A connection of this length begins the sequence again.
  package static let stable = Duration.seconds(10)
  private static let longest = Duration.seconds(60)

  private var failures = 0

  package init() {}

  /// Returns the pause after a failure. `connected` is how long the connection lasted; `nil` for an attempt that failed.
  /// `random` is from 0 to 1.
  package mutating func next(connected: Duration?, random: Double) -> Duration {
    if let connected, connected >= Self.stable { failures = 0 }
    let base = min(Self.longest, .seconds(1 << min(failures, 6)))
    failures += 1
    return min(Self.longest, base * (0.8 + 0.4 * random))
  }
}
