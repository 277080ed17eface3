import DBus

/// A pairing agent that a client has registered.
package struct FakeAgent: Hashable, Sendable {
  package let owner: String
  package let path: DBusObjectPath
  /// `DisplayOnly`, `DisplayYesNo`, `KeyboardOnly`, `NoInputNoOutput` or `KeyboardDisplay`.
  package let capability: String

  static let capabilities: Set<String> = [
    "DisplayOnly", "DisplayYesNo", "KeyboardOnly", "NoInputNoOutput", "KeyboardDisplay",
  ]

  /// The call that pairing with this strap makes, or `nil` if the agent is not asked, as for Just Works.
  func question(_ pairing: FakeStrap.Pairing, device: DBusObjectPath) -> (member: String, arguments: [DBusValue])? {
    let canType = capability.hasPrefix("Keyboard")
    let canShow = capability.hasPrefix("Display") || capability == "KeyboardDisplay"
    let canConfirm = capability == "DisplayYesNo" || capability == "KeyboardDisplay"
    return switch pairing {
    case .passkeyShownByStrap where canType: ("RequestPasskey", [.objectPath(device)])
    case .passkeyTypedIntoStrap where canShow:
      ("DisplayPasskey", [.objectPath(device), .uint32(Self.shownPasskey), .uint16(0)])
    case .confirmation(let number) where canConfirm:
      ("RequestConfirmation", [.objectPath(device), .uint32(number)])
    default: nil
    }
  }

  /// Returns a call to the agent.
  func call(_ member: String, _ arguments: [DBusValue] = []) -> DBusMethodCall {
    DBusMethodCall(destination: owner, path: path, interface: FakeNames.agent, member: member, arguments: arguments)
  }

  /// The passkey that agents display: deterministic, unlike the daemon's.
  static let shownPasskey: UInt32 = 271_828
}
