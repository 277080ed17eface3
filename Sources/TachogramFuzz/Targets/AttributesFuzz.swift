import Capture
import TachogramTestKit

/// Valid captures of arbitrary packets of a link. Each step of the input is a byte with its kind, followed by its parts; see
/// `Step`. The captures of three formats contain the same packets and must replay to the same ledger.
enum AttributesFuzz {
  /// The kind of a step, in the lower four bits of its first byte. Bit 4 is the sending end, bit 5 the connection, and bits 6
  /// and 7 the time since the previous step: nothing, a second, a minute, or back by 100 ms.
  private enum Step: UInt8 {
    /// A length, and an attribute PDU of that many bytes.
    case attribute = 0
    /// A length, and the first piece of an L2CAP PDU, which may claim any length.
    case start
    /// A length, and a further piece.
    case further
    /// A length, and a PDU of the security manager.
    case security
    case connect
    /// A reason.
    case disconnect
    /// A length, and the parameters of a LE Meta event.
    case event
    /// A length, and the value of a notification on the handle of the heart rate.
    case heartRate
    case discover
    case subscribe
  }

  private static let gaps: [Int64] = [0, 1_000_000, 60_000_000, -100_000]

  static func run(_ bytes: [UInt8]) throws -> Bool {
    let script = script(bytes)
    let files: [(format: CaptureFormat, bytes: [UInt8])] = [
      (.btsnoop, CaptureWrapping.btsnoop(script)),
      (.pcap, CaptureWrapping.pcap(CaptureWrapping.records(script, linkType: 201), linkType: 201)),
      (.packetLogger, CaptureWrapping.packetLogger(script, isBigEndian: true, isSecondsFirst: true)),
    ]
    var first: ReplayedLedger?
    for file in files {
      guard let ledger = try CaptureFuzz.ledger(file.bytes, file.format) else {
        throw FuzzFinding(description: "a sound \(file.format) file was taken for something else")
      }
      guard let summary = ledger.summary else {
        throw FuzzFinding(description: "a sound \(file.format) file was not read to its end: \(ledger)")
      }
      try FuzzFinding.unless(
        summary.records == script.packets.count && summary.damaged == 0,
        "\(summary.records) of \(script.packets.count) records of a sound \(file.format) file, \(summary.damages)")
      if let first {
        try FuzzFinding.unless(
          ledger.straps == first.straps && ledger.entries == first.entries, "\(file.format) and btsnoop disagree")
      } else {
        first = ledger
        try SessionCheck.check(ledger)
      }
    }
    return true
  }

  /// Returns the packets described by the input, after a connection.
  static func script(_ bytes: [UInt8]) -> PacketScript {
    var reader = ByteReader(bytes)
    var script = PacketScript()
    script.interval = 1000
    script.connect()
    while !reader.isAtEnd {
      let head = reader.byte()
      script.time += gaps[Int(head >> 6)]
      script.connection = head & 0x20 == 0 ? 0x40 : 0x41
      add(Step(rawValue: head & 0x0F), isReceived: head & 0x10 == 0, &reader, &script)
    }
    return script
  }

  private static func add(
    _ step: Step?, isReceived: Bool, _ reader: inout ByteReader, _ script: inout PacketScript
  ) {
    switch step {
    case .attribute: script.attribute(reader.read(Int(reader.byte())), isReceived: isReceived)
    case .start: piece(isStart: true, isReceived, &reader, &script)
    case .further: piece(isStart: false, isReceived, &reader, &script)
    case .security: script.send(reader.read(Int(reader.byte())), channel: 6, isReceived: isReceived)
    case .connect: script.connect()
    case .disconnect: script.disconnect(reason: reader.byte())
    case .event: script.event(0x3E, reader.read(Int(reader.byte())))
    case .heartRate: script.notify(reader.read(Int(reader.byte())), isServer: !isReceived)
    case .discover: script.discover(isServer: !isReceived)
    case .subscribe: script.subscribe(isServer: !isReceived)
    case nil: break
    }
  }

  private static func piece(
    isStart: Bool, _ isReceived: Bool, _ reader: inout ByteReader, _ script: inout PacketScript
  ) {
    script.fragmented(reader.read(Int(reader.byte())), isStart: isStart, isReceived: isReceived)
  }
}
