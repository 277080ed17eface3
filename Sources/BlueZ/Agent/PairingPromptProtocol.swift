import TachogramCore

/// Answers for the person while a strap is bonded.
package protocol PairingPromptProtocol: Sendable {
  /// The passkey that the strap shows or that its maker prints, 0 … 999 999; `nil` refuses.
  func passkey(for strap: String) async -> UInt32?

  /// Whether the strap shows this number.
  func confirms(_ passkey: UInt32, for strap: String) async -> Bool

  /// Shows the number that is to be entered on the strap.
  func show(_ passkey: UInt32, for strap: String) async
}
