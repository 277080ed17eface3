/// The other system of an outlet in a test.
package enum OutletPeer: Sendable, CaseIterable {
  /// Receives.
  case working
  /// Nothing listens at its address.
  case dead
  /// Accepts connections, and never answers.
  case stalled
}
