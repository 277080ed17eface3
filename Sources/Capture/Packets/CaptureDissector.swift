import TachogramCore

/// Extracts the events of the links from the records of a capture: connections, attribute PDUs, identities and names.
struct CaptureDissector {
  private static let attributeChannel: UInt16 = 0x0004
  private static let securityChannel: UInt16 = 0x0006
  private static let resetCommand: UInt16 = 0x0C03

  /// Connections that are up, by adapter and handle, or by access address.
  private var connections = ConnectionTable()
  private var nextNumber = 0

  /// Processes the data of one record, and counts unreadable packets in `summary`.
  mutating func process(
    _ record: CaptureRecord, _ data: Span<UInt8>, sink: inout some CaptureSink, summary: inout CaptureSummary
  ) {
    let packet = RecordUnwrapper.packet(
      data, link: record.link, flags: record.flags, hasDirection: record.hasDirection)
    switch packet {
    case .hci(let adapter, .acl, let sender, let start):
      acl(data.extracting(droppingFirst: start), adapter: adapter, sender: sender, &sink, &summary)
    case .hci(let adapter, .event, _, let start):
      event(data.extracting(droppingFirst: start), adapter: adapter, &sink, &summary)
    case .hci(let adapter, .command, _, let start):
      // A reset ends every link of the adapter, without disconnection events.
      if data.littleEndian16(at: start) == Self.resetCommand { endAll(of: adapter, &sink) }
    case .adapterGone(let adapter):
      endAll(of: adapter, &sink)
    case .air(let sender, let isEncrypted, let packet):
      let payload = data.extracting(packet.payload)
      if packet.isAdvertising {
        advertising(packet.header, payload, &sink)
      } else {
        self.data(packet, payload, sender: sender, isEncrypted: isEncrypted, &sink, &summary)
      }
    case .hci, .other:
      break
    case .corrupt:
      summary.corruptPackets += 1
    case .malformed:
      summary.malformedPackets += 1
    }
  }

  // MARK: - Host controller interface

  private mutating func acl(
    _ body: Span<UInt8>, adapter: UInt16, sender: LinkEnd?, _ sink: inout some CaptureSink,
    _ summary: inout CaptureSummary
  ) {
    guard let word = body.littleEndian16(at: 0), let length = body.littleEndian16(at: 2), body.holds(Int(length), at: 4)
    else {
      summary.malformedPackets += 1
      return
    }
    let fragment = body.extracting(4..<(4 + Int(length)))
    let boundary = word >> 12 & 3
    let key = Self.key(adapter: adapter, handle: word & 0x0FFF)
    let slot = connections.slot(key) ?? connect(key, near: nil, far: nil, &sink)
    // Without a direction the packet boundary flag decides: 00 goes to the controller, 10 comes from it, and a continuation
    // belongs to the end that has an unfinished PDU.
    let resolved =
      sender ?? (boundary == 0 ? .near : boundary == 2 ? .far : connections[slot].isPending(.near) ? .near : .far)
    // A start while another PDU is unfinished, or a continuation without a start.
    if (boundary != 1) == connections[slot].isPending(resolved) { summary.malformedPackets += 1 }
    if let frame = connections[slot].reassemble(fragment, from: resolved, isStart: boundary != 1) {
      Self.deliver(frame, fragment, connection: connections[slot].number, sender: resolved, &sink)
    }
  }

  private mutating func event(
    _ body: Span<UInt8>, adapter: UInt16, _ sink: inout some CaptureSink, _ summary: inout CaptureSummary
  ) {
    guard let code = body.byte(at: 0), let length = body.byte(at: 1), body.holds(Int(length), at: 2) else {
      summary.malformedPackets += 1
      return
    }
    let parameters = body.extracting(2..<(2 + Int(length)))
    switch HCIEvent(code: code, parameters: parameters) {
    case .connected(let handle, let address):
      let key = Self.key(adapter: adapter, handle: handle)
      end(key, reason: 0, &sink)
      _ = connect(key, near: nil, far: address, &sink)
    case .disconnected(let handle, let reason):
      end(Self.key(adapter: adapter, handle: handle), reason: reason, &sink)
    case .advertisements(let isExtended):
      guard sink.wantsAdvertisements else { return }
      HCIEvent.forEachAdvertisement(parameters, isExtended: isExtended) { Self.named($0, $1, &sink) }
    case nil:
      break
    }
  }

  private static func key(adapter: UInt16, handle: UInt16) -> UInt64 {
    UInt64(adapter) << 16 | UInt64(handle)
  }

  private mutating func endAll(of adapter: UInt16, _ sink: inout some CaptureSink) {
    for key in connections.keys(where: { $0 >> 16 == UInt64(adapter) }) { end(key, reason: 0, &sink) }
  }

  // MARK: - On the air

  private mutating func advertising(_ header: UInt8, _ payload: Span<UInt8>, _ sink: inout some CaptureSink) {
    let (transmitter, receiver) = (header >> 6 & 1, header >> 7)
    switch header & 0x0F {
    case 0x05:
      // CONNECT_IND: initiator, advertiser, then the access address of the new connection.
      guard let initiator = BluetoothAddress(payload, at: 0, kind: transmitter),
        let advertiser = BluetoothAddress(payload, at: 6, kind: receiver),
        let accessAddress = payload.littleEndian32(at: 12)
      else { return }
      let key = Self.airKey(accessAddress)
      end(key, reason: 0, &sink)
      _ = connect(key, near: initiator, far: advertiser, &sink)
    case 0x00, 0x02, 0x04, 0x06:
      guard sink.wantsAdvertisements, let address = BluetoothAddress(payload, at: 0, kind: transmitter) else { return }
      Self.named(address, payload.extracting(droppingFirst: 6), &sink)
    default:
      break
    }
  }

  private mutating func data(
    _ packet: LinkLayerPacket, _ payload: Span<UInt8>, sender: LinkEnd?, isEncrypted: Bool?,
    _ sink: inout some CaptureSink, _ summary: inout CaptureSummary
  ) {
    let key = Self.airKey(packet.accessAddress)
    let identifier = packet.header & 3
    guard let slot = connections.slot(key) ?? connectOnAir(key, identifier, payload, isEncrypted: isEncrypted, &sink)
    else {
      if isEncrypted == true, !payload.isEmpty { summary.encryptedPackets += 1 }
      return
    }
    if connections[slot].isRetransmission(header: packet.header, payload: payload, sender: sender) { return }
    if payload.isEmpty { return }
    if isEncrypted ?? connections[slot].isEncrypted {
      summary.encryptedPackets += 1
      return
    }
    switch identifier {
    case 3:
      control(payload, key: key, slot: slot, &sink)
    case 1, 2:
      if let frame = connections[slot].reassemble(payload, from: sender, isStart: identifier == 2) {
        Self.deliver(frame, payload, connection: connections[slot].number, sender: sender, &sink)
      }
    default:
      summary.malformedPackets += 1
    }
  }

  /// Adds a connection whose beginning was not captured. Noise looks like packets with random access addresses, so only a
  /// packet that every link carries adds a connection: the start of a PDU on the fixed channels of LE, or the request to start
  /// encryption (LL_START_ENC_REQ).
  private mutating func connectOnAir(
    _ key: UInt64, _ identifier: UInt8, _ payload: Span<UInt8>, isEncrypted: Bool?, _ sink: inout some CaptureSink
  ) -> Int? {
    let begins: Bool =
      switch identifier {
      case 2: payload.littleEndian16(at: 2).map { (0x0004...0x0006).contains($0) } ?? false
      case 3: payload.byte(at: 0) == 0x05
      default: false
      }
    return begins && isEncrypted != true ? connect(key, near: nil, far: nil, &sink) : nil
  }

  /// LL Control PDUs (Core Specification 5.4, Vol 6, Part B, 2.4.2).
  private mutating func control(_ payload: Span<UInt8>, key: UInt64, slot: Int, _ sink: inout some CaptureSink) {
    switch payload.byte(at: 0) {
    case 0x02: end(key, reason: payload.byte(at: 1) ?? 0, &sink)
    case 0x05: connections[slot].isEncrypted = true
    case 0x0B: connections[slot].isEncrypted = false
    default: break
    }
  }

  private static func airKey(_ accessAddress: UInt32) -> UInt64 {
    1 << 48 | UInt64(accessAddress)
  }

  // MARK: - Both

  private mutating func connect(
    _ key: UInt64, near: BluetoothAddress?, far: BluetoothAddress?, _ sink: inout some CaptureSink
  ) -> Int {
    let slot = connections.insert(Connection(number: nextNumber), key: key)
    sink.connectionAppeared(nextNumber, near: near, far: far)
    nextNumber += 1
    return slot
  }

  private mutating func end(_ key: UInt64, reason: UInt8, _ sink: inout some CaptureSink) {
    if let connection = connections.remove(key) { sink.disconnected(connection.number, reason: reason) }
  }

  private static func deliver(
    _ frame: L2CAPFrame, _ fragment: Span<UInt8>, connection: Int, sender: LinkEnd?, _ sink: inout some CaptureSink
  ) {
    if let bytes = frame.reassembled {
      deliver(bytes.span.extracting(frame.payload), frame.channel, connection: connection, sender: sender, &sink)
    } else {
      deliver(fragment.extracting(frame.payload), frame.channel, connection: connection, sender: sender, &sink)
    }
  }

  private static func deliver(
    _ payload: Span<UInt8>, _ channel: UInt16, connection: Int, sender: LinkEnd?, _ sink: inout some CaptureSink
  ) {
    if channel == Self.attributeChannel {
      sink.attribute(payload, connection: connection, sender: sender)
    } else if channel == Self.securityChannel, payload.byte(at: 0) == 0x09, let kind = payload.byte(at: 1),
      let address = BluetoothAddress(payload, at: 2, kind: kind), address.isKnown
    {
      // Identity Address Information (Core Specification 5.4, Vol 3, Part H, 3.6.5).
      sink.identity(address, connection: connection, sender: sender)
    }
  }

  private static func named(_ address: BluetoothAddress, _ data: Span<UInt8>, _ sink: inout some CaptureSink) {
    if let name = AdvertisingData.localName(data) { sink.advertisedName(data.extracting(name), of: address) }
  }
}
