/// The packets of a short heart-rate session, for wrapping in every format: H4 packets with direction and time.
package struct PacketScript {
  package struct Packet {
    /// The H4 packet: type byte and body.
    package var bytes: [UInt8]
    package var isReceived: Bool
    /// Microseconds since 1970.
    package var time: Int64
    package var adapter: UInt16 = 0
  }

  package static let address: [UInt8] = [0x01, 0x00, 0x00, 0xEE, 0xFF, 0xC0]
  package static let values: [[UInt8]] = [
    [0x16, 0x48, 0x00, 0x04], [0x06, 0x49], [0x16, 0x4A, 0xF0, 0x03, 0xF1, 0x03],
  ]
  package static let start: Int64 = 1_767_254_400_123_456

  package private(set) var packets: [Packet] = []
  /// The time of the next packet, in microseconds since 1970.
  package var time = start
  /// The time from one packet to the next, in microseconds.
  package var interval: Int64 = 1_000_001
  /// The adapter of the packets. Only some formats contain it.
  package var adapter: UInt16 = 0
  /// The connection of the packets.
  package var connection: UInt16 = 0x40
  /// The maximum number of bytes of an L2CAP PDU in one ACL packet.
  package var fragment = 1000

  /// Creates a script without packets.
  package init() {}

  /// Returns a connection with discovery and subscription, then the three values, then the end of the link.
  package static func session(discovery: Bool = true) -> PacketScript {
    var script = PacketScript()
    script.connect()
    if discovery { script.discover() }
    script.subscribe()
    for value in values { script.notify(value) }
    script.disconnect()
    return script
  }

  /// Returns the script with its first packets only.
  package func prefix(_ count: Int) -> PacketScript {
    var script = self
    script.packets = Array(packets.prefix(count))
    return script
  }

  // MARK: - Packets

  package mutating func add(_ bytes: [UInt8], isReceived: Bool) {
    packets.append(Packet(bytes: bytes, isReceived: isReceived, time: time, adapter: adapter))
    time += interval
  }

  package mutating func event(_ code: UInt8, _ parameters: [UInt8]) {
    add([4, code, UInt8(parameters.count)] + parameters, isReceived: true)
  }

  /// Adds an LE Connection Complete event.
  package mutating func connect(_ address: [UInt8] = address, kind: UInt8 = 1) {
    event(0x3E, [1, 0] + Self.word(connection) + [0, kind] + address + [24, 0, 0, 0, 0xF4, 1, 0])
  }

  /// Adds a Disconnection Complete event.
  package mutating func disconnect(reason: UInt8 = 0x08) {
    event(0x05, [0] + Self.word(connection) + [reason])
  }

  /// Adds an L2CAP PDU, split into ACL packets.
  package mutating func send(_ payload: [UInt8], channel: UInt16, isReceived: Bool) {
    let frame = Self.word(UInt16(payload.count)) + Self.word(channel) + payload
    for start in stride(from: 0, to: frame.count, by: fragment) {
      fragmented(Array(frame[start..<min(frame.count, start + fragment)]), isStart: start == 0, isReceived: isReceived)
    }
  }

  /// Adds one ACL packet.
  package mutating func fragmented(_ piece: [UInt8], isStart: Bool, isReceived: Bool) {
    let boundary: UInt16 = isStart ? isReceived ? 2 : 0 : 1
    add([2] + Self.word(connection | boundary << 12) + Self.word(UInt16(piece.count)) + piece, isReceived: isReceived)
  }

  package mutating func attribute(_ pdu: [UInt8], isReceived: Bool) {
    send(pdu, channel: 4, isReceived: isReceived)
  }

  // MARK: - Exchanges

  /// Adds the discovery of a Heart Rate Measurement on a handle. With `isServer`, the capturing side is the server.
  package mutating func discover(_ handle: UInt16 = 0x10, uuid: UInt16 = 0x2A37, isServer: Bool = false) {
    attribute([0x08, 0x01, 0, 0xFF, 0xFF, 0x03, 0x28], isReceived: isServer)
    attribute([0x09, 7] + Self.word(handle - 1) + [0x10] + Self.word(handle) + Self.word(uuid), isReceived: !isServer)
  }

  /// Adds the discovery of primary services, one in each answer. It ends with an error code, or without an answer.
  package mutating func discoverServices(
    _ services: KeyValuePairs<ClosedRange<UInt16>, UInt16>, end: UInt8? = 0x0A
  ) {
    var next: UInt16 = 1
    for (handles, uuid) in services {
      attribute([0x10] + Self.word(next) + [0xFF, 0xFF, 0x00, 0x28], isReceived: false)
      attribute(
        [0x11, 6] + Self.word(handles.lowerBound) + Self.word(handles.upperBound) + Self.word(uuid), isReceived: true)
      next = handles.upperBound + 1
    }
    attribute([0x10] + Self.word(next) + [0xFF, 0xFF, 0x00, 0x28], isReceived: false)
    if let end { attribute([0x01, 0x10] + Self.word(next) + [end], isReceived: true) }
  }

  /// Adds the discovery of the characteristics in a range, by their value handles, one in each answer.
  package mutating func discoverCharacteristics(
    _ values: KeyValuePairs<UInt16, UInt16>, in handles: ClosedRange<UInt16>, end: UInt8? = 0x0A
  ) {
    let last = Self.word(handles.upperBound)
    var next = handles.lowerBound
    for (value, uuid) in values {
      attribute([0x08] + Self.word(next) + last + [0x03, 0x28], isReceived: false)
      attribute(
        [0x09, 7] + Self.word(value - 1) + [0x10] + Self.word(value) + Self.word(uuid), isReceived: true)
      next = value + 1
    }
    attribute([0x08] + Self.word(next) + last + [0x03, 0x28], isReceived: false)
    if let end { attribute([0x01, 0x08] + Self.word(next) + [end], isReceived: true) }
  }

  /// Enables the notifications of a handle.
  package mutating func subscribe(_ configuration: UInt16 = 0x11, isServer: Bool = false) {
    attribute([0x12] + Self.word(configuration) + [1, 0], isReceived: isServer)
    attribute([0x13], isReceived: !isServer)
  }

  package mutating func notify(_ value: [UInt8], handle: UInt16 = 0x10, isServer: Bool = false) {
    attribute([0x1B] + Self.word(handle) + value, isReceived: !isServer)
  }

  /// Adds the discovery of Service Changed on a handle.
  package mutating func discoverServiceChanged(_ handle: UInt16 = 0x03) {
    discover(handle, uuid: 0x2A05)
  }

  /// Adds an indication of the server that the attributes of a range of handles have changed.
  package mutating func changeServices(_ handles: ClosedRange<UInt16> = 1...0xFFFF, handle: UInt16 = 0x03) {
    let range = Self.word(handles.lowerBound) + Self.word(handles.upperBound)
    attribute([0x1D] + Self.word(handle) + range, isReceived: true)
    attribute([0x1E], isReceived: false)
  }

  /// Adds the value of a characteristic, read by its type.
  package mutating func read(_ uuid: UInt16, _ value: [UInt8], handle: UInt16) {
    attribute([0x08, 1, 0, 0xFF, 0xFF] + Self.word(uuid), isReceived: false)
    attribute([0x09, UInt8(2 + value.count)] + Self.word(handle) + value, isReceived: true)
  }

  /// Adds the identity address that one end reveals while bonding.
  package mutating func identify(_ address: [UInt8], kind: UInt8, isReceived: Bool = true) {
    send([0x09, kind] + address, channel: 6, isReceived: isReceived)
  }

  /// Adds an advertising report with a name, in the legacy or the extended layout.
  package mutating func advertise(
    _ name: String, _ address: [UInt8] = address, kind: UInt8 = 1, isExtended: Bool = false
  ) {
    let data = [2, 0x01, 6, UInt8(name.utf8.count + 1), 0x09] + Array(name.utf8)
    if isExtended {
      let middle: [UInt8] = [1, 0, 0, 0x7F, 0xC0, 0, 0, 0] + Array(repeating: 0, count: 6)
      event(0x3E, [0x0D, 1, 0x13, 0, kind] + address + middle + [UInt8(data.count)] + data)
    } else {
      event(0x3E, [0x02, 1, 0x00, kind] + address + [UInt8(data.count)] + data + [0xC0])
    }
  }

  package static func word(_ value: UInt16) -> [UInt8] {
    [UInt8(value & 0xFF), UInt8(value >> 8)]
  }
}
