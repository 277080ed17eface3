import GATT

/// The known attributes at one end of a connection: types by handle, subscriptions, and the values read.
struct AttributeServer {
  /// The type of each attribute, as a 16-bit UUID; longer UUIDs are `AttributeType.unknown`.
  private(set) var types: [UInt16: UInt16] = [:]
  /// The handles to which a Client Characteristic Configuration with notifications switched on was written.
  private(set) var subscriptions: Set<UInt16> = []
  /// The last value of each describing characteristic, by UUID.
  private(set) var characteristics: [UInt16: [UInt8]] = [:]

  /// The notifications by handle, at the index in `slots`. The last slot is checked first, as a strap notifies repeatedly on
  /// the same handle.
  private(set) var histories: [HandleHistory] = []
  private var slots: [UInt16: Int] = [:]
  private var lastSlot = 0
  /// The results of discovery in order: for each handle the first meaning, and changes of it.
  private(set) var statements: [AttributeStatement] = []
  /// The handles with a statement.
  private var statedHandles: Set<UInt16> = []
  private(set) var serviceChanges: [ServiceChange] = []
  /// The handle that discovery last identified as Service Changed.
  private(set) var serviceChangedHandle: UInt16?
  private var request: AttributeRequest?
  private var discovery = DiscoveryRecord()

  /// The error code of a request for attributes that do not exist.
  private static let attributeNotFound: UInt8 = 0x0A
  /// The most changes of meaning and the most stretches that are kept, since a capture may have a change in every record.
  private static let mostChanges = 4096
  /// The most Service Changed indications that are processed, since each may affect all handles.
  private static let mostServiceChanges = 512
  /// The most notifying handles that are checked against discovered services. A device with more is not a strap.
  static let mostHandles = 64

  /// Whether there were more Service Changed indications than are processed, so that the meaning of all handles is unknown.
  private var isLost = false
  private var changes = 0
  private var pastStretches = 0

  /// Whether discovery found a Heart Rate Measurement.
  var hasHeartRate: Bool { statements.contains { $0.meaning == .heartRate } }

  /// Returns the ordinal of the attribute PDU from which on the services of this end exclude a Heart Rate Measurement on a
  /// handle without a statement, or `nil` if they do not.
  func ruledOut(_ handle: UInt16) -> Int? {
    statedHandles.contains(handle) ? nil : discovery.ruledOut(handle)
  }

  /// Returns the stretches of a handle's history.
  func stretches(_ history: HandleHistory) -> [HandleStretch] {
    history.stretches(isSubscribed: isSubscribed(history.handle))
  }

  /// Whether a descriptor that was subscribed to can belong to this handle: it is within the next three handles, with no other
  /// notifying handle between.
  private func isSubscribed(_ handle: UInt16) -> Bool {
    let following = (1...3).compactMap { handle <= .max - $0 ? handle + $0 : nil }
    return following.prefix { slots[$0] == nil }.contains { subscriptions.contains($0) }
  }

  /// Processes a PDU between this server and its client, except for notifications, for which see `notified`. `moment` is the
  /// ordinal of the PDU among the attribute PDUs of the capture.
  mutating func observe(_ opcode: AttributeOpcode, _ pdu: Span<UInt8>, at moment: Int) {
    switch opcode {
    case .notification, .indication, .multipleNotification:
      break
    case .findInformationRequest, .readByTypeRequest, .readByGroupTypeRequest, .readRequest:
      request = AttributeRequest(opcode, pdu)
    case .writeRequest:
      request = AttributeRequest(opcode, pdu)
      written(pdu)
    case .writeCommand:
      written(pdu)
    case .errorResponse:
      failed(pdu, moment)
    case .findInformationResponse:
      information(pdu, moment)
    case .readByTypeResponse:
      readByType(pdu, moment)
    case .readResponse:
      if let request, request.opcode == .readRequest, let type = types[request.handles.lowerBound] {
        value(pdu.extracting(droppingFirst: 1), of: type)
      }
      request = nil
    case .readByGroupTypeResponse:
      readByGroupType(pdu, moment)
    case .writeResponse:
      request = nil
    }
  }

  /// Adds a value that this server notified in the attribute PDU `moment`. Returns whether it changes more than a count.
  @inline(__always)
  mutating func notified(
    _ value: Span<UInt8>, handle: UInt16, at time: ReplayClock.Reading, moment: Int
  ) -> Bool {
    if lastSlot >= histories.count || histories[lastSlot].handle != handle { lastSlot = slot(handle, moment) }
    let isChange = histories[lastSlot].add(value, at: time, moment: moment)
    if let type = histories[lastSlot].type, type != GATTUUID.heartRateMeasurement { self.value(value, of: type) }
    return isChange
  }

  /// Processes a Service Changed indication, which ends the meaning of its handles and their subscriptions.
  mutating func change(_ change: ServiceChange) {
    if isLost { return }
    guard serviceChanges.count < Self.mostServiceChanges else {
      isLost = true
      for slot in histories.indices { begin(nil, slot) }
      return
    }
    serviceChanges.append(change)
    types = types.filter { !change.handles.contains($0.key) }
    discovery.forget(change.handles)
    for slot in histories.indices
    where histories[slot].isBegunOrKnown && change.handles.contains(histories[slot].handle) {
      histories[slot].type = nil
      begin(nil, slot)
    }
    subscriptions = subscriptions.filter { !change.handles.contains($0) }
  }

  private mutating func slot(_ handle: UInt16, _ moment: Int) -> Int {
    if let slot = slots[handle] { return slot }
    if types[handle] == nil, discovery.ruledOut(handle) != nil { learn(AttributeType.unknown, of: handle, moment) }
    slots[handle] = histories.count
    histories.append(HandleHistory(handle: handle, type: types[handle]))
    if isLost { begin(nil, histories.count - 1) }
    return histories.count - 1
  }

  private mutating func learn(_ type: UInt16, of handle: UInt16, _ moment: Int, declaration: UInt16? = nil) {
    let meaning = AttributeMeaning(type: type)
    if meaning == .heartRate { discovery.name(handle, declaration: declaration) }
    let before = types.updateValue(type, forKey: handle).map(AttributeMeaning.init)
    if meaning == .serviceChanged { serviceChangedHandle = handle }
    let slot = slots[handle]
    if let slot { histories[slot].type = type }
    guard before != meaning else { return }
    if before == .heartRate { discovery.rename(handle) }
    let isFirst = statedHandles.insert(handle).inserted
    if isFirst || changes < Self.mostChanges {
      changes += isFirst ? 0 : 1
      statements.append(AttributeStatement(moment: moment, handle: handle, meaning: meaning))
    }
    if let slot { begin(meaning, slot) }
  }

  private mutating func begin(_ meaning: AttributeMeaning?, _ slot: Int) {
    if histories[slot].isBegun { pastStretches += 1 }
    let isSubscribed = isSubscribed(histories[slot].handle)
    histories[slot].begin(meaning, isSubscribed: isSubscribed, isKept: !isLost && pastStretches <= Self.mostChanges)
  }

  private mutating func written(_ pdu: Span<UInt8>) {
    guard let handle = pdu.littleEndian16(at: 1), pdu.count == 5, let value = pdu.littleEndian16(at: 3) else { return }
    guard value & 1 == 1, value <= 3 else { return }
    if let type = types[handle], type != GATTUUID.clientCharacteristicConfiguration { return }
    subscriptions.insert(handle)
  }

  private mutating func failed(_ pdu: Span<UInt8>, _ moment: Int) {
    guard let request else { return }
    self.request = nil
    if request.opcode == .writeRequest { subscriptions.remove(request.handles.lowerBound) }
    guard pdu.byte(at: 1) == request.opcode.rawValue, pdu.byte(at: 4) == Self.attributeNotFound,
      // Otherwise it is the response to another request, which is missing in the capture.
      pdu.littleEndian16(at: 2) == request.handles.lowerBound
    else { return }
    switch (request.opcode, request.type) {
    case (.readByGroupTypeRequest, GATTUUID.primaryService):
      if discovery.foundNoServices(asked: request.handles, at: moment) { ruleOutByServices(moment) }
    case (.readByTypeRequest, GATTUUID.characteristic):
      ruleOut(discovery.foundNoDeclarations(asked: request.handles), moment)
    default:
      break
    }
  }

  private mutating func information(_ pdu: Span<UInt8>, _ moment: Int) {
    guard let format = pdu.byte(at: 1), format == 1 || format == 2 else { return }
    let size = format == 1 ? 4 : 18
    for entry in stride(from: 2, to: pdu.count, by: size) where pdu.holds(size, at: entry) {
      guard let handle = pdu.littleEndian16(at: entry),
        let type = AttributeType.read(pdu, at: entry + 2, count: size - 2)
      else { return }
      learn(type, of: handle, moment)
    }
    request = nil
  }

  private mutating func readByType(_ pdu: Span<UInt8>, _ moment: Int) {
    guard let request, request.opcode == .readByTypeRequest, let size = pdu.byte(at: 1).map(Int.init), size >= 2 else {
      return
    }
    var declarations: [UInt16] = []
    var lastValue: UInt16 = 0
    for entry in stride(from: 2, to: pdu.count, by: size) where pdu.holds(size, at: entry) {
      guard let handle = pdu.littleEndian16(at: entry) else { return }
      if request.type == GATTUUID.characteristic {
        learn(GATTUUID.characteristic, of: handle, moment)
        declarations.append(handle)
        // Properties, value handle, UUID: 7 bytes with a 16-bit UUID, 21 with a long one.
        if size == 7 || size == 21, let value = pdu.littleEndian16(at: entry + 3),
          let type = AttributeType.read(pdu, at: entry + 5, count: size - 5)
        {
          learn(type, of: value, moment, declaration: handle)
          lastValue = value
        }
      } else {
        learn(request.type, of: handle, moment)
        value(pdu.extracting((entry + 2)..<(entry + size)), of: request.type)
      }
    }
    self.request = nil
    ruleOut(discovery.found(declarations: declarations, value: lastValue, asked: request.handles), moment)
  }

  private mutating func readByGroupType(_ pdu: Span<UInt8>, _ moment: Int) {
    defer { request = nil }
    guard let request, request.opcode == .readByGroupTypeRequest, request.type == GATTUUID.primaryService,
      let size = pdu.byte(at: 1).map(Int.init), size == 6 || size == 20
    else { return }
    var services: [ServiceMap.Service] = []
    for entry in stride(from: 2, to: pdu.count, by: size) where pdu.holds(size, at: entry) {
      guard let first = pdu.littleEndian16(at: entry), let last = pdu.littleEndian16(at: entry + 2),
        let type = AttributeType.read(pdu, at: entry + 4, count: size - 4), first <= last
      else { return }
      services.append(ServiceMap.Service(handles: first...last, type: type))
    }
    if discovery.found(services, asked: request.handles, at: moment) { ruleOutByServices(moment) }
  }

  /// Records handles that discovery excluded without naming them.
  private mutating func ruleOut(_ handles: [UInt16], _ moment: Int) {
    for handle in handles { learn(AttributeType.unknown, of: handle, moment) }
  }

  private mutating func ruleOutByServices(_ moment: Int) {
    ruleOut(discovery.ruledOutByServices(), moment)
    guard histories.count <= Self.mostHandles else { return }
    ruleOut(histories.filter { $0.type == nil && discovery.ruledOut($0.handle) != nil }.map(\.handle), moment)
  }

  private mutating func value(_ value: Span<UInt8>, of type: UInt16) {
    if GATTUUID.describing.contains(type) { characteristics[type] = value.copied() }
  }
}
