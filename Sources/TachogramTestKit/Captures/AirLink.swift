/// A link on the air: a central and a peripheral with the sequence numbers of the link layer, and a sniffer that records the
/// packets it receives (Core Specification, Vol 6, Part B, 4.5.9).
package struct AirLink {
  package struct Heard {
    /// Access address, PDU and CRC.
    package var bytes: [UInt8]
    /// Whether the central sent the packet, or `nil` for advertising.
    package var isCentral: Bool?
    /// Microseconds since 1970.
    package var time: Int64
    package var isEncrypted = false
    package var isCorrupt = false
  }

  private struct End {
    var sequence: UInt8 = 0
    var nextExpected: UInt8 = 0
    var queue: [(identifier: UInt8, payload: [UInt8])] = []
    /// The PDU that was sent but is not acknowledged.
    var inFlight: (identifier: UInt8, payload: [UInt8])?

    var isIdle: Bool { queue.isEmpty && (inFlight?.payload.isEmpty ?? true) }

    /// Returns the PDU to send: the unacknowledged one again, else the next, else one without data.
    mutating func transmit() -> [UInt8] {
      let (identifier, payload) = inFlight ?? (queue.isEmpty ? (1, []) : queue.removeFirst())
      inFlight = (identifier, payload)
      return [identifier | nextExpected << 2 | sequence << 3, UInt8(payload.count)] + payload
    }

    mutating func receive(_ pdu: [UInt8]) {
      if pdu[0] >> 2 & 1 != sequence {
        sequence ^= 1
        inFlight = nil
      }
      if pdu[0] >> 3 & 1 == nextExpected { nextExpected ^= 1 }
    }
  }

  package static let advertisingAddress: [UInt8] = [0xD6, 0xBE, 0x89, 0x8E]
  package static let initiator: [UInt8] = [0x66, 0x55, 0x44, 0x33, 0x22, 0x11]

  package private(set) var heard: [Heard] = []
  package var time = PacketScript.start
  /// Whether the sniffer reports the PDUs as encrypted. Their bytes stay readable here.
  package var isEncrypted = false
  package var accessAddress: [UInt8] = [0x5A, 0x65, 0x7D, 0x50]
  private var central = End()
  private var peripheral = End()

  /// Creates a link on which nothing was sent yet.
  package init() {}

  /// Returns the same session as `PacketScript.session`, with an event for every PDU.
  package static func session() -> AirLink {
    var link = AirLink()
    link.advertise("Strap")
    link.connect()
    link.exchange([0x08, 0x01, 0, 0xFF, 0xFF, 0x03, 0x28], [0x09, 7, 0x0F, 0, 0x10, 0x10, 0, 0x37, 0x2A])
    link.exchange([0x12, 0x11, 0, 1, 0], [0x13])
    for value in PacketScript.values { link.notify(value) }
    link.terminate()
    return link
  }

  // MARK: - Advertising

  /// Sends an ADV_IND with a name.
  package mutating func advertise(_ name: String, _ address: [UInt8] = PacketScript.address) {
    let data = [2, 0x01, 6, UInt8(name.utf8.count + 1), 0x09] + Array(name.utf8)
    hear(Self.advertisingAddress + [0x40, UInt8(6 + data.count)] + address + data, isCentral: nil)
  }

  /// Sends a CONNECT_IND from a public initiator to a random advertiser.
  package mutating func connect(_ address: [UInt8] = PacketScript.address) {
    let parameters =
      accessAddress + [0x11, 0x22, 0x33, 2] + [10, 0, 24, 0, 0, 0, 0xF4, 1] + [0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 5]
    hear(Self.advertisingAddress + [0x85, 34] + Self.initiator + address + parameters, isCentral: nil)
    (central, peripheral) = (End(), End())
  }

  // MARK: - Data

  /// Sends a request of the central and the response of the peripheral.
  package mutating func exchange(_ request: [UInt8], _ response: [UInt8]) {
    send([UInt8(request.count), 0, 4, 0] + request, fromCentral: true)
    event()
    send([UInt8(response.count), 0, 4, 0] + response, fromCentral: false)
    event()
  }

  /// Sends a notification. The central does not receive the first `losses` of its transmissions.
  package mutating func notify(_ value: [UInt8], fragment: Int = 27, losses: Int = 0) {
    let pdu = [0x1B, 0x10, 0] + value
    send([UInt8(pdu.count), 0, 4, 0] + pdu, fromCentral: false, fragment: fragment)
    for _ in 0..<losses { event(isPeripheralHeard: false) }
    flush()
  }

  /// Sends an LL_TERMINATE_IND of the peripheral.
  package mutating func terminate(reason: UInt8 = 0x08) {
    control([0x02, reason])
  }

  /// Sends an LL Control PDU of the central.
  package mutating func control(_ payload: [UInt8]) {
    central.queue.append((3, payload))
    flush()
  }

  package mutating func send(_ frame: [UInt8], fromCentral: Bool, fragment: Int = 27) {
    for start in stride(from: 0, to: frame.count, by: fragment) {
      let piece = (
        identifier: UInt8(start == 0 ? 2 : 1), payload: Array(frame[start..<min(frame.count, start + fragment)])
      )
      if fromCentral { central.queue.append(piece) } else { peripheral.queue.append(piece) }
    }
  }

  /// Runs connection events until all data is sent and acknowledged, and one more without data.
  package mutating func flush() {
    while !central.isIdle || !peripheral.isIdle { event() }
    event()
  }

  /// Runs a connection event: one PDU of either end. The sniffer receives what the flags say, whatever the ends receive.
  package mutating func event(
    isPeripheralHeard: Bool = true, isCentralHeard: Bool = true, sniffsCentral: Bool = true,
    sniffsPeripheral: Bool = true
  ) {
    let fromCentral = central.transmit()
    if sniffsCentral { hear(accessAddress + fromCentral, isCentral: true) }
    if isCentralHeard { peripheral.receive(fromCentral) }
    time += 230
    let fromPeripheral = peripheral.transmit()
    if sniffsPeripheral { hear(accessAddress + fromPeripheral, isCentral: false) }
    if isPeripheralHeard { central.receive(fromPeripheral) }
    time += 29_770
  }

  /// Records a packet. Its CRC is arbitrary, since no test depends on it.
  package mutating func hear(_ bytes: [UInt8], isCentral: Bool?, isCorrupt: Bool = false) {
    heard.append(
      Heard(
        bytes: bytes + [0xAA, 0xBB, 0xCC], isCentral: isCentral, time: time,
        isEncrypted: isEncrypted && isCentral != nil && bytes[5] > 0, isCorrupt: isCorrupt))
  }
}
