import TachogramCore

/// A prompt for the user while a strap is being bonded.
package protocol PairingPromptProtocol: Sendable {
  /// Returns the passkey shown by the strap or printed by its manufacturer, 0 … 999 999, or `nil` to refuse.
  func passkey(for strap: String) async -> UInt32?

  /// Returns whether the strap shows this number.
  func confirms(_ passkey: UInt32, for strap: String) async -> Bool

  /// Shows the number to enter on the strap.
  func show(_ passkey: UInt32, for strap: String) async
}
