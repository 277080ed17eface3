/// The last link-layer PDU with data from one end, used to detect its retransmission (Core Specification 5.4, Vol 6, Part B,
/// 4.5.9): the same bytes with the same sequence number, unless headers show that the sequence advanced between them.
struct SentPDU {
  private enum State {
    case none
    case sent
    /// The other end acknowledged it. The sender may have missed the acknowledgement and repeat the PDU.
    case acknowledged
  }

  /// The identifier and the sequence number. The other bits of the header may change in a retransmission.
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

  /// Replaces the PDU by the next one from the same end. A PDU without data only clears it.
  mutating func replace(_ header: UInt8, _ payload: Span<UInt8>) {
    state = payload.isEmpty ? .none : .sent
    self.header = header
    self.payload.removeAll(keepingCapacity: true)
    for index in 0..<payload.count { self.payload.append(payload[index]) }
  }

  /// Processes a header from the other end. The PDU is acknowledged once the next expected sequence number differs from its
  /// own. If the expected number is the PDU's own again after that, another PDU has been sent in between, and this one is
  /// cleared.
  mutating func acknowledge(by header: UInt8) {
    let isExpected = (header & Self.nextExpected != 0) == (self.header & Self.sequence != 0)
    switch state {
    case .none: break
    case .sent: if !isExpected { state = .acknowledged }
    case .acknowledged: if isExpected { state = .none }
    }
  }
}
