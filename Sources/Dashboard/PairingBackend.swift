import TachogramCore

/// The pairing of straps. Methods throw `DashboardError` if the request does not fit the current phase.
package protocol PairingBackend: Sendable {
  func state() async -> API.Pairing
  /// Searches for straps until one is chosen, for a minute at most.
  func begin() async throws
  /// Pairs a strap that was found. Only this strap can be bonded.
  func choose(_ address: BluetoothAddress) async throws
  func answer(_ answer: API.PairingAnswer) async throws
  /// Ends the pairing.
  func end() async
}
