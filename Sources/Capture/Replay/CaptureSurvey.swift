import TachogramCore

/// The first pass over a capture: learns addresses, names, attribute handles and subscriptions of every connection.
struct CaptureSurvey: CaptureSink {
  /// The most names that are kept: where many devices pass, their random addresses would fill the memory.
  private static let mostNames = 10_000

  private(set) var connections: [SurveyedConnection] = []
  private(set) var names: [BluetoothAddress: [UInt8]] = [:]
  /// Attribute PDUs seen.
  private(set) var attributeCount = 0

  var wantsAdvertisements: Bool { true }

  mutating func connectionAppeared(_ number: Int, near: BluetoothAddress?, far: BluetoothAddress?) {
    connections.append(SurveyedConnection(nearAddress: near, farAddress: far))
  }

  mutating func attribute(_ pdu: Span<UInt8>, connection: Int, sender: LinkEnd?) {
    attributeCount += 1
    guard let opcode = pdu.byte(at: 0).flatMap(AttributeOpcode.init(rawValue:)) else { return }
    if opcode.isFromClient ? sender == .far : sender == .near {
      Self.observe(opcode, pdu, &connections[connection].near)
    } else {
      Self.observe(opcode, pdu, &connections[connection].far)
    }
  }

  mutating func identity(_ address: BluetoothAddress, connection: Int, sender: LinkEnd?) {
    if sender == .near {
      connections[connection].nearIdentity = address
    } else {
      connections[connection].farIdentity = address
    }
  }

  mutating func disconnected(_ connection: Int, reason: UInt8) {}

  mutating func advertisedName(_ name: Span<UInt8>, of address: BluetoothAddress) {
    let isWanted = names[address].map { $0.count < name.count } ?? (names.count < Self.mostNames)
    if isWanted { names[address] = name.copied() }
  }

  private static func observe(
    _ opcode: AttributeOpcode, _ pdu: Span<UInt8>, _ server: inout AttributeServer
  ) {
    server.observe(opcode, pdu)
    AttributePDU.forEachNotification(opcode, pdu) { server.notified($1, handle: $0) }
  }
}
