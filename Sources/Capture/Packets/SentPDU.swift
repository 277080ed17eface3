/// The last link-layer PDU with data of one end, to know its retransmission by (Core Specification 5.4, Vol 6, Part B, 4.5.9):
/// the same bytes with the same sequence number, as long as nothing shows that the sequence went on between them.
struct SentPDU {
  private enum State {
    case none
    case sent
    /// The other end acknowledged it. Its sender may have missed that and repeat it all the same.
    case acknowledged
  }

  /// Identifier and sequence number: the other bits of the header may change when a PDU is sent again.
  private static let marks: UInt8 = 0b1011
  private static let nextExpected: UInt8 = 0b0100
  private static let sequence: UInt8 = 0b1000

  private var state = State.none
  private var header: UInt8 = 0
  private var payload: [UInt8] = []

  /// Whether a PDU repeats this one.
  func isRepeated(by header: UInt8, _ payload: Span<UInt8>) -> Bool {
    state != .none && (header ^ self.header) & Self.marks == 0 && payload.equals(self.payload)
  }

  /// Takes the place of the PDU before it; one without data only ends it.
  mutating func replace(_ header: UInt8, _ payload: Span<UInt8>) {
    state = payload.isEmpty ? .none : .sent
    self.header = header
    self.payload.removeAll(keepingCapacity: true)
    for index in 0..<payload.count { self.payload.append(payload[index]) }
  }

  /// Takes a header of the other end: the sequence number that it expects next acknowledges the PDU when it is the other one,
  /// and when it is the PDU's own again after that, a new PDU has had that number.
  mutating func acknowledge(by header: UInt8) {
    let isExpected = (header & Self.nextExpected != 0) == (self.header & Self.sequence != 0)
    switch state {
    case .none: break
    case .sent: if !isExpected { state = .acknowledged }
    case .acknowledged: if isExpected { state = .none }
    }
  }
}
