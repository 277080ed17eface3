/// A prompt for unattended stations, which replies with a configured passkey and refuses other requests.
package struct FixedPasskeyPrompt: PairingPromptProtocol {
  private let number: UInt32?

  /// Creates a prompt. If `passkey` is `nil`, only bonding without a passkey is allowed.
  package init(passkey: UInt32?) {
    number = passkey
  }

  package func passkey(for strap: String) async -> UInt32? { number }

  package func confirms(_ passkey: UInt32, for strap: String) async -> Bool { passkey == number }

  package func show(_ passkey: UInt32, for strap: String) async {}
}
