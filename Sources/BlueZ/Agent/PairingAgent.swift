import DBus
import TachogramCore

/// The agent that the daemon calls during bonding (BlueZ doc/org.bluez.Agent.rst). It accepts requests for wanted straps and
/// refuses those for other devices.
package final class PairingAgent: Sendable {
  private static let path = "/net/tachogram/agent"
  /// The capability of a person at a terminal: a keyboard and a display.
  private static let capability = "KeyboardDisplay"
  private static let timeout: Duration = .seconds(5)

  private let client: BlueZClient
  private let prompt: any PairingPromptProtocol
  private let isWanted: @Sendable (BluetoothAddress) -> Bool

  /// Registers an agent for bonds that this program initiates. Throws when the daemon is absent or refuses the agent.
  package static func register(
    on client: BlueZClient, prompt: any PairingPromptProtocol,
    isWanted: @escaping @Sendable (BluetoothAddress) -> Bool,
  ) async throws(DBusError) -> PairingAgent {
    let agent = PairingAgent(client: client, prompt: prompt, isWanted: isWanted)
    let path = try DBusObjectPath(validating: Self.path)
    // Only the daemon may call the agent; otherwise any client of the bus could obtain the passkey. After a restart of the
    // daemon, the agent is registered again.
    let daemon = try await client.connection.owner(of: BlueZName.service)
    try client.connection.export(path) { [weak agent] call async throws(DBusError) in
      guard let agent, call.sender == daemon else { throw Self.rejected }
      return try await agent.answer(call)
    }
    try await client.call(
      "/org/bluez", BlueZName.Interface.agentManager, BlueZName.Member.registerAgent,
      [.objectPath(path), .string(Self.capability)], timeout: Self.timeout)
    return agent
  }

  private init(
    client: BlueZClient, prompt: any PairingPromptProtocol, isWanted: @escaping @Sendable (BluetoothAddress) -> Bool,
  ) {
    self.client = client
    self.prompt = prompt
    self.isWanted = isWanted
  }

  /// Unregisters the agent.
  package func unregister() async {
    guard let path = try? DBusObjectPath(validating: Self.path) else { return }
    _ = try? await client.call(
      "/org/bluez", BlueZName.Interface.agentManager, BlueZName.Member.unregisterAgent, [.objectPath(path)],
      timeout: Self.timeout)
    client.connection.unexport(path)
  }

  // MARK: - Answering

  private static let rejected = DBusError.remote(name: BlueZName.Error.rejected, message: "refused")

  private func answer(_ call: DBusIncomingCall) async throws(DBusError) -> [DBusValue] {
    switch call.member {
    case "Release", "Cancel": return []
    case "RequestPinCode": throw Self.rejected
    case "RequestPasskey":
      let strap = try strap(call.arguments)
      guard let passkey = await prompt.passkey(for: strap), passkey <= 999_999 else { throw Self.rejected }
      return [.uint32(passkey)]
    case "DisplayPasskey":
      let strap = try strap(call.arguments)
      guard call.arguments.count == 3 else { throw Self.rejected }
      // Called again for each key that is typed on the strap. The passkey is shown only the first time.
      if try call.arguments[2].asUInt16() == 0 { await prompt.show(try call.arguments[1].asUInt32(), for: strap) }
      return []
    case "RequestConfirmation":
      let strap = try strap(call.arguments)
      guard call.arguments.count == 2, await prompt.confirms(try call.arguments[1].asUInt32(), for: strap) else {
        throw Self.rejected
      }
      return []
    case "RequestAuthorization", "AuthorizeService":
      _ = try strap(call.arguments)
      return []
    default:
      throw .remote(name: BlueZName.Error.unknownMethod, message: "an agent has no method \(call.member)")
    }
  }

  /// Returns the address of the device in a request, as text. Throws if the device is not wanted.
  private func strap(_ arguments: [DBusValue]) throws(DBusError) -> String {
    guard let path = try arguments.first?.asPath().text, let device = client.read({ $0.device(path) }),
      isWanted(device.address)
    else { throw Self.rejected }
    return device.address.description
  }
}
