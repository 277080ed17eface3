import Outlets

/// An outlet in a test, with the other system that it sends to.
package protocol OutletSubject: Sendable {
  /// Creates an outlet for a peer of the subject, which waits for attempts and batches by `sleep`.
  func outlet(
    for peer: OutletPeer, sleep: @escaping @Sendable (Duration) async -> Void
  ) async throws -> any OutletProtocol

  /// Waits until the peer that works has received a value of a strap: a heart rate, in bpm.
  func hasReceived(heartRate: Int) async -> Bool

  /// Ends the peer that works, and starts it again with the same address.
  func restartPeer() async throws
}
