import GATT
import TachogramCore

/// The first pass over a capture, which collects addresses, names, attribute handles and subscriptions of every connection.
struct CaptureSurvey: CaptureSink {
  /// The maximum number of stored names. Where many devices pass by, their random addresses would fill the memory.
  private static let mostNames = 10_000

  private(set) var connections: [SurveyedConnection] = []
  private(set) var names: [BluetoothAddress: [UInt8]] = [:]
  /// The number of attribute PDUs. The ordinal of each PDU orders discovery and notifications.
  private(set) var attributeCount = 0
  /// The number of notifying PDUs with contradictory lengths, of which a part is lost.
  private(set) var malformedPDUs = 0
  /// The handles that discovery named as Service Changed on any connection. Bonded devices do not discover them again.
  private var serviceChangedHandles: Set<UInt16> = []
  /// The events since the last exchange that a replay needs, if a draft is made.
  private(set) var piece: SurveyChunk
  private var isDrafting: Bool
  /// Increases with each change that may affect the plan, except counts of notifications.
  private(set) var revision = 0
  /// Whether a strap started to send pulse intervals beside its heart rate.
  private(set) var hasPulseIntervals = false
  private var now = ReplayClock.Reading()

  /// Creates a survey. `piece` is an empty piece for the events that a replay needs, or `nil` if they are not collected.
  init(piece: SurveyChunk?) {
    isDrafting = piece != nil
    self.piece = piece ?? SurveyChunk(capacity: 0)
  }

  /// Whether the piece has to be exchanged.
  @inline(__always)
  var isPieceFull: Bool { isDrafting && piece.isFull }

  /// Exchanges the piece for an empty one.
  mutating func exchangePiece(_ exchange: (SurveyChunk) -> SurveyChunk) {
    var full = SurveyChunk(capacity: 0)
    swap(&piece, &full)
    piece = exchange(full)
  }

  /// Stops collecting events; a draft of the collected ones will lack the rest.
  mutating func endDrafting() {
    exchangePiece { _ in SurveyChunk(capacity: 0) }
    isDrafting = false
  }

  /// Begins a record that was captured at `time`.
  mutating func begin(_ time: ReplayClock.Reading) {
    now = time
  }

  var wantsAdvertisements: Bool { true }

  mutating func connectionAppeared(_ number: Int, near: BluetoothAddress?, far: BluetoothAddress?) {
    revision += 1
    connections.append(SurveyedConnection(nearAddress: near, farAddress: far))
  }

  mutating func attribute(_ pdu: Span<UInt8>, connection: Int, sender: LinkEnd?) {
    attributeCount += 1
    guard let opcode = AttributeOpcode(of: pdu) else { return }
    if opcode.isNotifying {
      let end = sender ?? .far
      let isWhole = AttributePDU.forEachNotification(opcode, pdu) { handle, value in
        if isDrafting { piece.notified(value, handle: handle, connection: connection, end: end, at: now) }
        let isChange =
          end == .near
          ? connections[connection].near.notified(value, handle: handle, at: now, moment: attributeCount)
          : connections[connection].far.notified(value, handle: handle, at: now, moment: attributeCount)
        if isChange { revision += 1 }
        if opcode == .indication { indicated(value, handle, connection, end) }
      }
      if !isWhole { malformedPDUs += 1 }
      return
    }
    revision += 1
    let end: LinkEnd = (opcode.isFromClient ? sender == .far : sender == .near) ? .near : .far
    let handle = connections[connection].observe(opcode, pdu, of: end, at: attributeCount)
    if let handle { serviceChangedHandles.insert(handle) }
  }

  /// Handles an indication, which may be Service Changed, or report that a strap started to send pulse intervals.
  private mutating func indicated(_ value: Span<UInt8>, _ handle: UInt16, _ connection: Int, _ end: LinkEnd) {
    if value.byte(at: 0) == PolarControlPointResponse.code,
      let response = try? PolarControlPointResponse.decode(value.copied()[...]), response.measurement == .ppi,
      response.operation == .start, response.status == .success
    {
      hasPulseIntervals = true
    }
    let type = connections[connection].server(end).types[handle]
    guard let change = ServiceChange(value, at: attributeCount),
      type.map({ $0 == GATTUUID.serviceChanged }) ?? (change.isOfAll || serviceChangedHandles.contains(handle))
    else { return }
    revision += 1
    connections[connection].change(change, of: end)
  }

  /// Records the capture's statement that packets were dropped before this record.
  mutating func dropped() {
    if isDrafting { piece.dropped(at: now) }
  }

  mutating func identity(_ address: BluetoothAddress, connection: Int, sender: LinkEnd?) {
    revision += 1
    if sender == .near {
      connections[connection].nearIdentity = address
    } else {
      connections[connection].farIdentity = address
    }
  }

  mutating func disconnected(_ connection: Int, reason: UInt8) {
    if isDrafting { piece.disconnected(connection, reason: reason, at: now) }
  }

  mutating func advertisedName(_ name: Span<UInt8>, of address: BluetoothAddress) {
    let isWanted = names[address].map { $0.count < name.count } ?? (names.count < Self.mostNames)
    if isWanted { names[address] = name.copied() }
  }
}
