import TachogramCore

/// The commands of the Bluetooth Management interface that are used here (BlueZ `doc/mgmt-api.txt`).
package enum ManagementCommand: Hashable, Sendable {
  /// Lists the commands and events that this socket may use.
  case readSupportedCommands
  case readAdapterList
  case readAdapterInformation(adapter: UInt16)
  /// Sets the parameters for the next connections to some peers. Replaces earlier ones that no other program uses.
  case loadConnectionParameters(adapter: UInt16, [PeerConnectionParameters])

  /// The message to send.
  package var packet: ManagementPacket {
    switch self {
    case .readSupportedCommands: ManagementPacket(code: code, adapter: nil)
    case .readAdapterList: ManagementPacket(code: code, adapter: nil)
    case .readAdapterInformation(let adapter): ManagementPacket(code: code, adapter: adapter)
    case .loadConnectionParameters(let adapter, let peers):
      ManagementPacket(
        code: code, adapter: adapter,
        parameters: ManagementPacket.bytes(UInt16(clamping: peers.count)) + peers.flatMap(\.bytes))
    }
  }

  /// The number of the command.
  package var code: UInt16 {
    switch self {
    case .readSupportedCommands: 0x0002
    case .readAdapterList: 0x0003
    case .readAdapterInformation: 0x0004
    case .loadConnectionParameters: 0x0035
    }
  }

  /// The command in words, as the end of a sentence that begins with "the kernel refused to".
  package var purpose: String {
    switch self {
    case .readSupportedCommands: "list its management commands"
    case .readAdapterList: "list the adapters"
    case .readAdapterInformation(let adapter): "describe hci\(adapter)"
    case .loadConnectionParameters(let adapter, _): "take connection parameters for hci\(adapter)"
    }
  }
}
