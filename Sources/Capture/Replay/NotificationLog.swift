import TachogramCore

/// What the survey came across that the replay needs: notifications and ends of connections, in their order, so that
/// most captures need not be read again. Where there is more than it holds, it keeps nothing: memory does not grow
/// with the file.
package struct NotificationLog: Sendable {
  /// How many pieces are kept, by default: 16 MB, four days of a strap that notifies once a second.
  package static let mostPieces = 48

  /// As many events as are kept in one piece.
  struct Piece: Sendable {
    static let capacity = 8192
    private static let bytesPerEvent = 16

    private(set) var events: [Event] = []
    /// The attribute PDUs of the notifications, one behind the other, as far as `end`.
    private var bytes = [UInt8](repeating: 0, count: capacity * bytesPerEvent)
    private var end = 0

    init() {
      events.reserveCapacity(Self.capacity)
    }

    /// Whether there is no room for another event with so many bytes.
    func isFull(for count: Int) -> Bool {
      events.count == Self.capacity || bytes.count - end < count
    }

    mutating func append(_ event: Event, _ pdu: Span<UInt8>) {
      events.append(event)
      let start = end
      bytes.withUnsafeMutableBufferPointer { bytes in
        for index in 0..<pdu.count { bytes[start + index] = pdu[index] }
      }
      end += pdu.count
    }

    /// Lets `emitter` make ledger entries of the events, and gives them to `body`, each with the index of its strap.
    func replay(to emitter: inout EntryEmitter, _ body: (Int, LedgerEntry) throws -> Void) rethrows {
      var start = 0
      let bytes = bytes.span
      for event in events {
        emitter.begin(event.time)
        switch event.kind {
        case .notification(let sender):
          let end = start + Int(event.length)
          try emitter.forEachEntry(bytes.extracting(start..<end), connection: event.connection, sender: sender) {
            try body($1, $2)
          }
          start = end
        case .disconnected(let reason):
          emitter.disconnected(event.connection, reason: reason)
          try emitter.drain(body)
        }
      }
    }
  }

  struct Event: Sendable {
    enum Kind {
      case notification(sender: LinkEnd?)
      case disconnected(reason: UInt8)
    }

    let time: ReplayClock.Reading
    let connection: Int
    /// Bytes of the PDU.
    let length: UInt16
    let kind: Kind
  }

  private let limit: Int
  /// All pieces but the last.
  private(set) var pieces: [Piece] = []
  private var last = Piece()
  /// Whether everything was kept.
  private(set) var isComplete: Bool

  /// A log of up to `limit` pieces.
  init(limit: Int) {
    self.limit = limit
    isComplete = limit > 0
  }

  mutating func notified(_ pdu: Span<UInt8>, connection: Int, sender: LinkEnd?, at time: ReplayClock.Reading) {
    append(.notification(sender: sender), pdu, connection: connection, at: time)
  }

  mutating func disconnected(_ connection: Int, reason: UInt8, at time: ReplayClock.Reading) {
    append(.disconnected(reason: reason), Span(), connection: connection, at: time)
  }

  /// Lets `emitter` make ledger entries of all events, and gives them to `body`, each with the index of its strap.
  func replay(to emitter: inout EntryEmitter, _ body: (Int, LedgerEntry) throws -> Void) rethrows {
    for piece in pieces { try piece.replay(to: &emitter, body) }
    try last.replay(to: &emitter, body)
  }

  private mutating func append(
    _ kind: Event.Kind, _ pdu: Span<UInt8>, connection: Int, at time: ReplayClock.Reading
  ) {
    guard isComplete else { return }
    if last.isFull(for: pdu.count) {
      guard pieces.count + 1 < limit else {
        isComplete = false
        pieces = []
        last = Piece()
        return
      }
      pieces.append(last)
      last = Piece()
    }
    // A PDU of L2CAP has a length of 16 bits.
    last.append(Event(time: time, connection: connection, length: UInt16(pdu.count), kind: kind), pdu)
  }
}
