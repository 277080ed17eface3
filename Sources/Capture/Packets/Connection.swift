/// The dissector's state of one connection.
struct Connection {
  /// The position in order of appearance, from 0.
  let number: Int
  private var near = L2CAPReassembly()
  private var far = L2CAPReassembly()
  /// Whether the link layer is encrypted (on the air only).
  var isEncrypted = false
  private var sentByNear = SentPDU()
  private var sentByFar = SentPDU()

  init(number: Int) {
    self.number = number
  }

  /// Whether a PDU from this end is incomplete.
  func isPending(_ end: LinkEnd) -> Bool {
    end == .near ? near.isPending : far.isPending
  }

  /// Adds a fragment from `sender` and returns the PDU that it completes, if any. An unknown sender counts as the peer.
  @inline(__always)
  mutating func reassemble(_ fragment: Span<UInt8>, from sender: LinkEnd?, isStart: Bool) -> L2CAPFrame? {
    switch sender ?? .far {
    case .near: isStart ? near.start(fragment) : near.append(fragment)
    case .far: isStart ? far.start(fragment) : far.append(fragment)
    }
  }

  /// Whether a link-layer PDU repeats the last one with data from the same end. Where the direction is not known, both ends
  /// share one state, and a PDU without data counts as the other end's answer.
  mutating func isRetransmission(header: UInt8, payload: Span<UInt8>, sender: LinkEnd?) -> Bool {
    switch sender {
    case .near:
      sentByFar.acknowledge(by: header)
      return Self.isRepeated(&sentByNear, by: header, payload)
    case .far:
      sentByNear.acknowledge(by: header)
      return Self.isRepeated(&sentByFar, by: header, payload)
    case nil:
      if !payload.isEmpty { return Self.isRepeated(&sentByFar, by: header, payload) }
      sentByFar.acknowledge(by: header)
      return false
    }
  }

  private static func isRepeated(_ sent: inout SentPDU, by header: UInt8, _ payload: Span<UInt8>) -> Bool {
    if sent.isRepeated(by: header, payload) { return true }
    sent.replace(header, payload)
    return false
  }
}
