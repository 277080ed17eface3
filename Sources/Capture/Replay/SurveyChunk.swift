import TachogramCore

/// The events in a stretch of a capture that a replay needs: notified values, ends of connections and losses, in order. Pieces
/// are filled, replayed and reused, so that a few of them suffice for any capture.
package struct SurveyChunk: Sendable {
  private static let bytesPerEvent = 16

  struct Event: Sendable {
    enum Kind {
      case notified(by: LinkEnd)
      case disconnected(reason: UInt8)
      case dropped
    }

    let time: ReplayClock.Reading
    let connection: Int32
    let handle: UInt16
    /// The number of bytes of the value.
    let length: UInt16
    let kind: Kind
  }

  /// The maximum number of events.
  private let capacity: Int
  private var events: [Event] = []
  /// The values of the notifications, one after another, up to `end`.
  private var bytes: [UInt8]
  private var end = 0

  /// Creates an empty piece for about `capacity` events. The default fits into the processor's cache.
  package init(capacity: Int = 1024) {
    self.capacity = capacity
    bytes = Array(repeating: 0, count: capacity * Self.bytesPerEvent)
    events.reserveCapacity(capacity)
  }

  @inline(__always)
  var isFull: Bool { events.count >= capacity }

  /// Removes all events.
  package mutating func clear() {
    events.removeAll(keepingCapacity: true)
    end = 0
  }

  /// Appends a value that `end` of a connection notified on `handle`.
  @inline(__always)
  mutating func notified(
    _ value: Span<UInt8>, handle: UInt16, connection: Int, end: LinkEnd, at time: ReplayClock.Reading
  ) {
    events.append(event(.notified(by: end), value.count, handle: handle, connection: connection, at: time))
    let start = self.end
    self.end += value.count
    if bytes.count < self.end { bytes += repeatElement(0, count: self.end - bytes.count) }
    bytes.withUnsafeMutableBufferPointer { bytes in
      for index in 0..<value.count { bytes[start + index] = value[index] }
    }
  }

  /// Appends the end of a connection.
  mutating func disconnected(_ connection: Int, reason: UInt8, at time: ReplayClock.Reading) {
    events.append(event(.disconnected(reason: reason), 0, handle: 0, connection: connection, at: time))
  }

  /// Appends the capture's statement that packets were dropped.
  mutating func dropped(at time: ReplayClock.Reading) {
    events.append(event(.dropped, 0, handle: 0, connection: 0, at: time))
  }

  /// A value has at most 65 532 bytes, by the length of L2CAP; a file with 2³¹ connections would have terabytes.
  @inline(__always)
  private func event(
    _ kind: Event.Kind, _ length: Int, handle: UInt16, connection: Int, at time: ReplayClock.Reading
  ) -> Event {
    Event(
      time: time, connection: Int32(truncatingIfNeeded: connection), handle: handle,
      length: UInt16(truncatingIfNeeded: length), kind: kind)
  }

  /// Passes the events to `router`, and those with a destination to `body`.
  func replay(
    through router: inout ArrivalRouter, _ body: (ReplayedArrival, Span<UInt8>) throws -> Void
  ) rethrows {
    var start = 0
    let bytes = bytes.span
    for event in events {
      router.begin(event.time)
      let end = start + Int(event.length)
      switch event.kind {
      case .notified(let sender):
        if let arrival = router.notified(event.handle, connection: Int(event.connection), end: sender) {
          try body(arrival, bytes.extracting(start..<end))
        }
      case .disconnected(let reason):
        router.disconnected(Int(event.connection), reason: reason)
        try router.drain(body)
      case .dropped:
        router.dropped()
        try router.drain(body)
      }
      start = end
    }
  }
}
