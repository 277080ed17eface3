import GATT

/// What a capture tells of the attributes at one end of a connection: types by handle, subscriptions, values read.
struct AttributeServer {
  /// The type of each attribute, as a 16-bit UUID; longer UUIDs are `unknownType`.
  private(set) var types: [UInt16: UInt16] = [:]
  /// Handles that 0x0001 was written to, as to a Client Characteristic Configuration.
  private(set) var subscriptions: Set<UInt16> = []
  /// The last value seen of the describing characteristics, by UUID.
  private(set) var characteristics: [UInt16: [UInt8]] = [:]

  /// What was notified, by handle; `slots` tells where. The slot used last is looked at first: a strap notifies on
  /// and on.
  private var notified: [HandleStatistics] = []
  private var slots: [UInt16: Int] = [:]
  private var lastSlot = 0
  private var request: (opcode: AttributeOpcode, handle: UInt16, type: UInt16)?

  /// Stands for a UUID of 128 bits.
  static let unknownType: UInt16 = 0xFFFF

  /// Handles that discovery named as Heart Rate Measurement.
  var heartRateHandles: Set<UInt16> {
    Set(types.lazy.filter { $0.value == GATTUUID.heartRateMeasurement }.map(\.key))
  }

  /// Handles that must carry Heart Rate Measurements although no discovery said so: subscribed to, and every value
  /// fits.
  var inferredHandles: Set<UInt16> {
    Set(
      notified.lazy.filter { $0.isPlausible && self.types[$0.handle] == nil && self.isSubscribed($0.handle) }
        .map(\.handle))
  }

  /// Handles that notified and whose type is not known.
  var unidentifiedHandles: Set<UInt16> {
    Set(notified.lazy.map(\.handle).filter { self.types[$0] == nil })
  }

  /// Whether the descriptor that was subscribed to can be this handle's: it stands close behind it, and no other
  /// handle that notifies stands between.
  private func isSubscribed(_ handle: UInt16) -> Bool {
    let following = (1...3).compactMap { handle <= .max - $0 ? handle + $0 : nil }
    return following.prefix { slots[$0] == nil }.contains { subscriptions.contains($0) }
  }

  /// Takes a PDU between this server and its client that does not notify; see `notified` for those.
  mutating func observe(_ opcode: AttributeOpcode, _ pdu: Span<UInt8>) {
    switch opcode {
    case .notification, .indication, .multipleNotification:
      break
    case .findInformationRequest, .readByGroupTypeRequest:
      request = (opcode, 0, 0)
    case .readByTypeRequest:
      request = (opcode, 0, pdu.count == 7 ? pdu.littleEndian16(at: 5) ?? 0 : Self.unknownType)
    case .readRequest:
      request = (opcode, pdu.littleEndian16(at: 1) ?? 0, 0)
    case .writeRequest:
      request = (opcode, pdu.littleEndian16(at: 1) ?? 0, 0)
      written(pdu)
    case .writeCommand:
      written(pdu)
    case .errorResponse:
      failed()
    case .findInformationResponse:
      information(pdu)
    case .readByTypeResponse:
      readByType(pdu)
    case .readResponse:
      if let request, request.opcode == .readRequest, let type = types[request.handle] {
        value(pdu.extracting(droppingFirst: 1), of: type)
      }
      request = nil
    case .writeResponse, .readByGroupTypeResponse:
      request = nil
    }
  }

  /// Takes a value that this server notified. Whether it is the first on its handle.
  @inline(__always)
  mutating func notified(_ value: Span<UInt8>, handle: UInt16) -> Bool {
    if lastSlot >= notified.count || notified[lastSlot].handle != handle { lastSlot = slot(handle) }
    notified[lastSlot].add(value)
    if let type = notified[lastSlot].type, type != GATTUUID.heartRateMeasurement { self.value(value, of: type) }
    return notified[lastSlot].count == 1
  }

  /// How many values were notified on a handle.
  func notificationCount(_ handle: UInt16) -> Int {
    slots[handle].map { notified[$0].count } ?? 0
  }

  private mutating func slot(_ handle: UInt16) -> Int {
    if let slot = slots[handle] { return slot }
    slots[handle] = notified.count
    notified.append(HandleStatistics(handle: handle, type: types[handle]))
    return notified.count - 1
  }

  private mutating func learn(_ type: UInt16, of handle: UInt16) {
    types[handle] = type
    if let slot = slots[handle] { notified[slot].type = type }
  }

  private mutating func written(_ pdu: Span<UInt8>) {
    guard let handle = pdu.littleEndian16(at: 1), pdu.count == 5, let value = pdu.littleEndian16(at: 3) else { return }
    guard value & 1 == 1, value <= 3 else { return }
    if let type = types[handle], type != GATTUUID.clientCharacteristicConfiguration { return }
    subscriptions.insert(handle)
  }

  private mutating func failed() {
    if let request, request.opcode == .writeRequest { subscriptions.remove(request.handle) }
    request = nil
  }

  private mutating func information(_ pdu: Span<UInt8>) {
    guard let format = pdu.byte(at: 1), format == 1 || format == 2 else { return }
    let size = format == 1 ? 4 : 18
    for entry in stride(from: 2, to: pdu.count, by: size) where pdu.holds(size, at: entry) {
      guard let handle = pdu.littleEndian16(at: entry), let type = pdu.littleEndian16(at: entry + 2) else { return }
      learn(format == 1 ? type : Self.unknownType, of: handle)
    }
    request = nil
  }

  private mutating func readByType(_ pdu: Span<UInt8>) {
    guard let request, request.opcode == .readByTypeRequest, let size = pdu.byte(at: 1).map(Int.init), size >= 2 else {
      return
    }
    for entry in stride(from: 2, to: pdu.count, by: size) where pdu.holds(size, at: entry) {
      guard let handle = pdu.littleEndian16(at: entry) else { return }
      if request.type == GATTUUID.characteristic {
        learn(GATTUUID.characteristic, of: handle)
        // Properties, value handle, UUID: 7 bytes with a 16-bit UUID, 21 with a long one.
        if size == 7 || size == 21, let value = pdu.littleEndian16(at: entry + 3),
          let type = pdu.littleEndian16(at: entry + 5)
        {
          learn(size == 7 ? type : Self.unknownType, of: value)
        }
      } else {
        learn(request.type, of: handle)
        value(pdu.extracting((entry + 2)..<(entry + size)), of: request.type)
      }
    }
    self.request = nil
  }

  private mutating func value(_ value: Span<UInt8>, of type: UInt16) {
    if GATTUUID.describing.contains(type) { characteristics[type] = value.copied() }
  }
}
