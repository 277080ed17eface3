import DequeModule
import Synchronization

/// What waits for one outlet. It never delays the sender, and its size is bounded: of readings the last one of each strap is kept, and
/// of beats the last ones.
package final class OutletMailbox: Sendable {
  fileprivate struct State {
    var readings: [Int: OutletReading] = [:]
    var forgotten: [OutletReading] = []
    var beats: Deque<OutletBeat> = []
    var undelivered = 0
    var dropped = 0
    var isFinished = false
    var reader: CheckedContinuation<OutletDelivery?, Never>?
  }

  /// The number of straps of which readings wait. A station has no more.
  private static let mostStraps = 64

  private let capacity: Int
  private let wantsBeats: Bool
  private let state = Mutex(State())

  /// Creates a mailbox for at most `capacity` beats, or for none if `wantsBeats` is `false`.
  package init(wantsBeats: Bool = true, capacity: Int = 4096) {
    (self.wantsBeats, self.capacity) = (wantsBeats, capacity)
  }

  /// The number of beats that were dropped because the outlet was too slow.
  package var droppedBeats: Int { state.withLock(\.dropped) }

  // MARK: - Sending

  /// Puts a reading and the beats that came with it, so that an outlet never receives beats of a strap that it does not know.
  package func put(_ reading: OutletReading, _ beats: [OutletBeat] = []) {
    change { state in
      if state.readings.count < Self.mostStraps || state.readings[reading.strap] != nil {
        state.readings[reading.strap] = reading
      }
      append(beats, to: &state)
    }
  }

  package func put(_ beats: [OutletBeat]) {
    change { append(beats, to: &$0) }
  }

  private func append(_ beats: [OutletBeat], to state: inout State) {
    guard wantsBeats else { return }
    state.beats += beats
    let lost = max(0, state.beats.count - capacity)
    state.beats.removeFirst(lost)
    state.undelivered += lost
    state.dropped += lost
  }

  /// Forgets a strap. `last` is its last reading.
  package func forget(_ last: OutletReading) {
    change { state in
      state.readings[last.strap] = nil
      state.beats.removeAll { $0.strap == last.strap }
      if state.forgotten.count < Self.mostStraps { state.forgotten.append(last) }
    }
  }

  /// Ends the mailbox: the outlet receives what waits, and then the end.
  package func finish() {
    change { $0.isFinished = true }
  }

  private func change(_ body: (inout State) -> Void) {
    let (reader, delivery) = state.withLock {
      state -> (CheckedContinuation<OutletDelivery?, Never>?, OutletDelivery?) in
      if !state.isFinished { body(&state) }
      guard state.reader != nil else { return (nil, nil) }
      let delivery = state.delivery()
      guard !delivery.isEmpty || state.isFinished else { return (nil, nil) }
      defer { state.reader = nil }
      return (state.reader, delivery.isEmpty ? nil : delivery)
    }
    reader?.resume(returning: delivery)
  }

  // MARK: - Receiving

  /// Waits for the next delivery. Returns `nil` at the end. For one reader.
  package func next() async -> OutletDelivery? {
    await withCheckedContinuation { continuation in
      let (isReady, delivery) = state.withLock { state -> (Bool, OutletDelivery?) in
        precondition(state.reader == nil, "a mailbox has one reader")
        let delivery = state.delivery()
        if !delivery.isEmpty { return (true, delivery) }
        if state.isFinished { return (true, nil) }
        state.reader = continuation
        return (false, nil)
      }
      if isReady { continuation.resume(returning: delivery) }
    }
  }
}

extension OutletMailbox.State {
  /// Returns all that waits, which does not wait any more.
  fileprivate mutating func delivery() -> OutletDelivery {
    var delivery = OutletDelivery()
    delivery.readings = readings.values.sorted { $0.strap < $1.strap }
    (delivery.forgotten, delivery.beats, delivery.droppedBeats) = (forgotten, Array(beats), undelivered)
    (readings, forgotten, beats, undelivered) = ([:], [], [], 0)
    return delivery
  }
}
