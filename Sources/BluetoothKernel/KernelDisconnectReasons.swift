import TachogramCore
import Threads

/// The reasons why links ended, from the kernel's management interface: the newest of each strap, kept for some seconds.
package final class KernelDisconnectReasons: DisconnectReasonProtocol {
  private struct State {
    var reasons: [UInt64: (code: UInt8, at: MonotonicTime)] = [:]
    /// The callers that wait for a reason, with the address of the strap.
    var waiting: [Int: (address: UInt64, continuation: AsyncStream<UInt8>.Continuation)] = [:]
    var nextNumber = 0
  }

  /// How long a reason is valid: long enough for delays of the bus, but too short for the end of the next link.
  private static let memory: Duration = .seconds(5)
  /// The number of straps whose reasons are kept. The oldest is removed beyond that.
  private static let mostStraps = 64

  /// Retained, because its events end when it is deinitialised.
  private let socket: ManagementSocket
  private let time: any TimeSourceProtocol
  private let state: Guarded<State>
  private let listening: Task<Void, Never>

  /// Starts listening to `socket`. If the socket does not receive events of links, every reason stays unknown.
  package init(_ socket: ManagementSocket, time: any TimeSourceProtocol) {
    self.socket = socket
    self.time = time
    let state = Guarded(State())
    self.state = state
    let events = socket.events()
    listening = Task {
      for await event in events {
        switch event {
        case .connected(_, let peer): state.withLock { _ = $0.reasons.removeValue(forKey: peer.address.value) }
        case .disconnected(_, let peer, let reason):
          let now = time.now().monotonic
          state.withLock { Self.note(reason.hciCode, of: peer.address.value, at: now, in: &$0) }
        default: break
        }
      }
    }
  }

  deinit {
    listening.cancel()
  }

  package func reason(of strap: BluetoothAddress) -> UInt8? {
    let now = time.now().monotonic
    return state.withLock { Self.known(strap.value, at: now, in: $0) }
  }

  package func reason(of strap: BluetoothAddress, until due: MonotonicTime) async -> UInt8? {
    let (stream, continuation) = AsyncStream.makeStream(of: UInt8.self)
    let now = time.now().monotonic
    let number = state.withLock { state in
      state.nextNumber += 1
      if let code = Self.known(strap.value, at: now, in: state) {
        continuation.yield(code)
      } else {
        state.waiting[state.nextNumber] = (strap.value, continuation)
      }
      return state.nextNumber
    }
    let alarm = Task { [time] in
      try? await time.sleep(until: due)
      continuation.finish()
    }
    defer {
      alarm.cancel()
      _ = state.withLock { $0.waiting.removeValue(forKey: number) }
    }
    for await code in stream { return code }
    return nil
  }

  private static func known(_ address: UInt64, at now: MonotonicTime, in state: State) -> UInt8? {
    state.reasons[address].flatMap { now.duration(since: $0.at) <= memory ? $0.code : nil }
  }

  private static func note(_ code: UInt8, of address: UInt64, at now: MonotonicTime, in state: inout State) {
    state.reasons[address] = (code, now)
    if state.reasons.count > mostStraps, let oldest = state.reasons.min(by: { $0.value.at < $1.value.at })?.key {
      state.reasons[oldest] = nil
    }
    for entry in state.waiting.values where entry.address == address { entry.continuation.yield(code) }
  }
}
