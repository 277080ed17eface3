import TachogramCore

/// An event reported by the management interface.
package enum ManagementEvent: Hashable, Sendable {
  case adapterAdded(adapter: UInt16)
  case adapterRemoved(adapter: UInt16)
  case settingsChanged(adapter: UInt16, AdapterSettings)
  /// The adapter's hardware reported an error.
  case adapterFailed(adapter: UInt16, code: UInt8)
  case connected(adapter: UInt16, ManagementPeer)
  case disconnected(adapter: UInt16, ManagementPeer, DisconnectionReason)
  case connectFailed(adapter: UInt16, ManagementPeer, ManagementStatus)

  /// Decodes the event in a packet. Returns `nil` for an event that is not used here, and for an answer to a command.
  package init?(_ packet: ManagementPacket) throws(ManagementPacketError) {
    guard let adapter = packet.adapter else { return nil }
    var reader = LittleEndianReader(packet.parameters[...], what: "management event \(packet.code)")
    switch packet.code {
    case 0x0003: self = .adapterFailed(adapter: adapter, code: try reader.uint8())
    case 0x0004: self = .adapterAdded(adapter: adapter)
    case 0x0005: self = .adapterRemoved(adapter: adapter)
    case 0x0006: self = .settingsChanged(adapter: adapter, AdapterSettings(rawValue: try reader.uint32()))
    case 0x000B: self = .connected(adapter: adapter, try ManagementPeer(&reader))
    case Self.disconnectedCode:
      let peer = try ManagementPeer(&reader)
      // A reason added by a later kernel is not an error.
      let reason = DisconnectionReason(rawValue: try reader.uint8()) ?? .unspecified
      self = .disconnected(adapter: adapter, peer, reason)
    case 0x000D:
      let peer = try ManagementPeer(&reader)
      self = .connectFailed(adapter: adapter, peer, ManagementStatus(rawValue: try reader.uint8()))
    default: return nil
    }
  }

  /// The code of Device Disconnected.
  static let disconnectedCode: UInt16 = 0x000C
}
