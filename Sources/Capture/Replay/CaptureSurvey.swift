import TachogramCore

/// The first pass over a capture: learns addresses, names, attribute handles and subscriptions of every connection.
struct CaptureSurvey: CaptureSink {
  /// The most names that are kept: where many devices pass, their random addresses would fill the memory.
  private static let mostNames = 10_000

  private(set) var connections: [SurveyedConnection] = []
  private(set) var names: [BluetoothAddress: [UInt8]] = [:]
  /// Attribute PDUs seen.
  private(set) var attributeCount = 0
  /// What the replay needs.
  private(set) var log: NotificationLog
  private var now = ReplayClock.Reading()

  /// `kept`: how many pieces of the log are kept for the replay at most.
  init(kept: Int) {
    log = NotificationLog(limit: kept)
  }

  /// Starts a record that was captured at `time`.
  mutating func begin(_ time: ReplayClock.Reading) {
    now = time
  }

  var wantsAdvertisements: Bool { true }

  mutating func connectionAppeared(_ number: Int, near: BluetoothAddress?, far: BluetoothAddress?) {
    connections.append(SurveyedConnection(nearAddress: near, farAddress: far))
  }

  mutating func attribute(_ pdu: Span<UInt8>, connection: Int, sender: LinkEnd?) {
    attributeCount += 1
    guard let opcode = AttributeOpcode(of: pdu) else { return }
    if opcode.isNotifying { log.notified(pdu, connection: connection, sender: sender, at: now) }
    if opcode.isFromClient ? sender == .far : sender == .near {
      connections[connection].near.observe(opcode, pdu)
    } else {
      connections[connection].far.observe(opcode, pdu)
    }
  }

  mutating func identity(_ address: BluetoothAddress, connection: Int, sender: LinkEnd?) {
    if sender == .near {
      connections[connection].nearIdentity = address
    } else {
      connections[connection].farIdentity = address
    }
  }

  mutating func disconnected(_ connection: Int, reason: UInt8) {
    log.disconnected(connection, reason: reason, at: now)
  }

  mutating func advertisedName(_ name: Span<UInt8>, of address: BluetoothAddress) {
    let isWanted = names[address].map { $0.count < name.count } ?? (names.count < Self.mostNames)
    if isWanted { names[address] = name.copied() }
  }
}
