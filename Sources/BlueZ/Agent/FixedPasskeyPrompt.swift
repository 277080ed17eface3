/// Answers with a configured passkey, and refuses what it cannot know: for stations without a person.
package struct FixedPasskeyPrompt: PairingPromptProtocol {
  private let number: UInt32?

  /// `passkey`: the number to answer with; `nil` allows bonding without one only.
  package init(passkey: UInt32?) {
    number = passkey
  }

  package func passkey(for strap: String) async -> UInt32? { number }

  package func confirms(_ passkey: UInt32, for strap: String) async -> Bool { passkey == number }

  package func show(_ passkey: UInt32, for strap: String) async {}
}
