import GATT
import TachogramCore

/// A writer of a session's ledger as a btsnoop capture. Every link has the connection, the discovery and the subscription by
/// which Wireshark and this program resolve the handles, followed by the notifications as received.
///
/// Times are the session's civil start plus the monotonic time since, so that replaying the file yields the same beats even if
/// the civil clock was changed during the session. Connection, discovery and subscription have the time of the link's first
/// entry, because the ledger does not contain their real times. A loss is written as one dropped packet, because the ledger
/// does not contain their number.
package struct SessionCaptureWriter {
  /// The largest piece of an L2CAP PDU in one ACL packet.
  private static let fragment = 1021
  private static let clientMTU: UInt16 = 517

  private let session: SessionDescription
  private let links: [Int: StrapLink]
  private let firstConnectionHandle: UInt16
  /// The links whose opening has been written, but not their end.
  private var openLinks: Set<Int> = []
  /// The links on which pulse intervals were started.
  private var measuringLinks: Set<Int> = []
  /// The number of losses so far.
  private var drops: UInt32 = 0

  /// The first bytes of the file.
  package static var fileHeader: [UInt8] { BtsnoopWriter.header }

  /// Creates a writer. `firstConnectionHandle` is the HCI handle of the first link; it must differ between the straps of one
  /// capture.
  package init(session: SessionDescription, links: [StrapLink], firstConnectionHandle: UInt16 = 0x0040) {
    self.session = session
    self.firstConnectionHandle = firstConnectionHandle
    self.links = Dictionary(links.map { ($0.number, $0) }) { $1 }
  }

  /// Returns the records of one entry. Entries must be passed in order.
  package mutating func records(_ entry: LedgerEntry) -> [UInt8] {
    guard let link = links[entry.link] else { return [] }
    let time = session.start.advanced(
      byMicroseconds: entry.monotonic.microseconds(since: session.monotonicStart)
    ).microseconds
    if entry.content == .linkDown(reason: DisconnectionCode.captureLoss) { return loss(at: time) }
    var bytes: [UInt8] = []
    if openLinks.insert(entry.link).inserted { bytes += opening(link, time: time) }
    switch entry.content {
    case .notification(let value):
      bytes += attribute([0x1B] + Self.word(link.handle) + value, link: link, isReceived: true, time: time)
    case .pulseIntervals(let frame):
      if measuringLinks.insert(entry.link).inserted { bytes += pulseIntervals(of: link, time: time) }
      bytes += attribute(
        [0x1B] + Self.word(measurementHandle(link) &+ 5) + frame, link: link, isReceived: true, time: time)
    case .linkDown(let reason):
      measuringLinks.remove(entry.link)
      let event = [4, 0x05, 4, 0] + Self.word(connectionHandle(link)) + [reason]
      bytes += record(event, isReceived: true, time: time)
      openLinks.remove(entry.link)
    }
    return bytes
  }

  // MARK: - Opening a link

  private func opening(_ link: StrapLink, time: Int64) -> [UInt8] {
    var bytes = record(connectionComplete(link), isReceived: true, time: time)
    for (request, response) in exchanges(link) {
      bytes += attribute(request, link: link, isReceived: false, time: time)
      bytes += attribute(response, link: link, isReceived: true, time: time)
    }
    return bytes
  }

  private func connectionComplete(_ link: StrapLink) -> [UInt8] {
    // Central, 30 ms interval, no latency, 5 s supervision timeout: plausible values, as the ledger does not contain them.
    let address = session.strap.address
    var bytes: [UInt8] = [4, 0x3E, 19, 0x01, 0]
    bytes += Self.word(connectionHandle(link))
    bytes += [0, address.kind.rawValue]
    bytes += address.littleEndianBytes
    for word in [24, 0, 500] as [UInt16] { bytes += Self.word(word) }
    return bytes + [0]
  }

  /// Returns the requests with their responses: MTU, services, characteristics, descriptor, subscription, describing values.
  private func exchanges(_ link: StrapLink) -> [(request: [UInt8], response: [UInt8])] {
    let handle = link.handle
    let declaration = max(handle, 2) - 1
    let configuration = handle < .max ? handle + 1 : handle
    var exchanges: [([UInt8], [UInt8])] = [
      ([0x02] + Self.word(Self.clientMTU), [0x03] + Self.word(Self.clientMTU)),
      (
        [0x10, 0x01, 0x00, 0xFF, 0xFF] + Self.word(GATTUUID.primaryService),
        [0x11, 6] + Self.word(declaration) + Self.word(configuration) + Self.word(GATTUUID.heartRateService)
      ),
    ]
    if declaration < handle {
      exchanges.append(
        characteristic(declaration: declaration, value: handle, properties: 0x10, uuid: GATTUUID.heartRateMeasurement))
    }
    exchanges.append(
      (
        [0x04] + Self.word(handle) + Self.word(configuration),
        [0x05, 1] + Self.word(handle) + Self.word(GATTUUID.heartRateMeasurement)
          + (configuration == handle
            ? [] : Self.word(configuration) + Self.word(GATTUUID.clientCharacteristicConfiguration))
      ))
    var next: UInt16 = handle < 0x0E00 ? 0x0F00 : 0x0100
    for (uuid, value) in session.strap.characteristics.sorted(by: { $0.key < $1.key }) {
      exchanges.append(characteristic(declaration: next, value: next &+ 1, properties: 0x02, uuid: uuid))
      exchanges.append(([0x0A] + Self.word(next &+ 1), [0x0B] + value))
      next &+= 2
    }
    if configuration != handle {
      exchanges.append(([0x12] + Self.word(configuration) + [0x01, 0x00], [0x13]))
    }
    return exchanges
  }

  // MARK: - Pulse intervals

  /// Returns the handle of the nominal measurement service, whose control point and data follow.
  private func measurementHandle(_ link: StrapLink) -> UInt16 { link.handle < 0x0E00 ? 0x0E40 : 0x0040 }

  /// Returns the discovery of the measurement service, and the start of the stream of pulse intervals.
  private func pulseIntervals(of link: StrapLink, time: Int64) -> [UInt8] {
    let service = measurementHandle(link)
    let (control, data) = (service &+ 2, service &+ 5)
    func declaration(_ handle: UInt16, _ properties: UInt8, _ uuid: String) -> [UInt8] {
      [0x09, 21] + Self.word(handle &- 1) + [properties] + Self.word(handle) + MeasurementTracker.bytes(of: uuid)
    }
    func search(_ handle: UInt16) -> [UInt8] {
      [0x08] + Self.word(handle &- 1) + Self.word(handle) + Self.word(GATTUUID.characteristic)
    }
    let start = PolarControlPointRequest.encode(.start(.ppi, PolarSettings()))
    let started: [UInt8] = [PolarControlPointResponse.code] + start.prefix(2) + [0, 0]
    // Each PDU, and whether the strap sent it.
    let pdus: [([UInt8], Bool)] = [
      (search(control), false), (declaration(control, 0x2A, PolarMeasurementUUID.controlPoint), true),
      (search(data), false), (declaration(data, 0x10, PolarMeasurementUUID.data), true),
      ([0x12] + Self.word(control &+ 1) + [0x02, 0x00], false), ([0x13], true),
      ([0x12] + Self.word(data &+ 1) + [0x01, 0x00], false), ([0x13], true),
      ([0x12] + Self.word(control) + start, false), ([0x13], true),
      ([0x1D] + Self.word(control) + started, true), ([0x1E], false),
    ]
    return pdus.flatMap { pdu, isReceived in attribute(pdu, link: link, isReceived: isReceived, time: time) }
  }

  private func characteristic(
    declaration: UInt16, value: UInt16, properties: UInt8, uuid: UInt16
  ) -> ([UInt8], [UInt8]) {
    (
      [0x08] + Self.word(declaration) + Self.word(value) + Self.word(GATTUUID.characteristic),
      [0x09, 7] + Self.word(declaration) + [properties] + Self.word(value) + Self.word(uuid)
    )
  }

  // MARK: - Wrapping

  /// Returns an event without a meaning (Command Complete of no command), after a dropped packet.
  private mutating func loss(at time: Int64) -> [UInt8] {
    drops += drops < .max ? 1 : 0
    return record([4, 0x0E, 3, 1, 0, 0], isReceived: true, time: time)
  }

  private func record(_ packet: [UInt8], isReceived: Bool, time: Int64) -> [UInt8] {
    BtsnoopWriter.record(packet, isReceived: isReceived, time: time, drops: drops)
  }

  /// Returns the records of one attribute PDU, split into ACL packets.
  private func attribute(_ pdu: [UInt8], link: StrapLink, isReceived: Bool, time: Int64) -> [UInt8] {
    let frame = Self.word(UInt16(truncatingIfNeeded: pdu.count)) + Self.word(0x0004) + pdu
    var bytes: [UInt8] = []
    var start = 0
    while start < frame.count {
      let piece = frame[start..<min(frame.count, start + Self.fragment)]
      let boundary: UInt16 = start > 0 ? 1 : isReceived ? 2 : 0
      let packet = [2] + Self.word(connectionHandle(link) | boundary << 12) + Self.word(UInt16(piece.count)) + piece
      bytes += record(packet, isReceived: isReceived, time: time)
      start += piece.count
    }
    return bytes
  }

  /// Returns the HCI handle of a link. It differs between links, so that links without an end in the ledger remain distinct.
  private func connectionHandle(_ link: StrapLink) -> UInt16 {
    (firstConnectionHandle &+ UInt16(truncatingIfNeeded: link.number % 0x0E00)) & 0x0FFF
  }

  private static func word(_ value: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }
}
