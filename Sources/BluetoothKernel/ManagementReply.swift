/// The kernel's answer to a command: Command Complete (0x0001) or Command Status (0x0002).
package struct ManagementReply: Hashable, Sendable {
  /// The command that it answers.
  package let code: UInt16
  package let adapter: UInt16?
  package let status: ManagementStatus
  /// The return parameters of a completed command.
  package let parameters: [UInt8]

  /// Returns `nil` for a packet that is not an answer.
  package init?(_ packet: ManagementPacket) throws(ManagementPacketError) {
    guard packet.code == 0x0001 || packet.code == 0x0002 else { return nil }
    var reader = LittleEndianReader(packet.parameters[...], what: "the answer to a management command")
    adapter = packet.adapter
    code = try reader.uint16()
    status = ManagementStatus(rawValue: try reader.uint8())
    parameters = Array(try reader.read(reader.remaining))
  }

  /// Returns the adapters in the answer to Read Controller Index List.
  package func adapterIndices() throws(ManagementPacketError) -> [UInt16] {
    var reader = LittleEndianReader(parameters[...], what: "the list of adapters")
    var indices: [UInt16] = []
    for _ in 0..<(try reader.uint16()) { indices.append(try reader.uint16()) }
    return indices
  }

  /// Returns the events in the answer to Read Management Supported Commands: all for a process with CAP_NET_ADMIN, otherwise
  /// few.
  package func supportedEvents() throws(ManagementPacketError) -> [UInt16] {
    var reader = LittleEndianReader(parameters[...], what: "the list of management commands")
    let (commands, events) = (Int(try reader.uint16()), Int(try reader.uint16()))
    _ = try reader.read(2 * commands)
    var codes: [UInt16] = []
    for _ in 0..<events { codes.append(try reader.uint16()) }
    return codes
  }
}
