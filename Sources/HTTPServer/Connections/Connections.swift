import Synchronization
import TachogramCore

/// The connections of a server, shared by all of its threads.
package final class Connections: Sendable {
  private struct State {
    var table: ConnectionTable
    var closers: [Int: @Sendable () -> Void] = [:]
    var streams: [ClientNetwork: Int] = [:]
    var closed: Int64 = 0
    var reported: MonotonicTime?
  }

  /// The minimum time between two reports of too many connections.
  private static let reportSpan: Duration = .seconds(60)

  package let limits: ConnectionLimits
  private let state: Mutex<State>
  private let time: any TimeSourceProtocol
  private let report: @Sendable (_ network: String) -> Void

  /// `report` receives the network whose connection was one too many, at most once a minute.
  package init(
    limits: ConnectionLimits, time: any TimeSourceProtocol, report: @escaping @Sendable (_ network: String) -> Void
  ) {
    self.limits = limits
    state = Mutex(State(table: ConnectionTable(limits: limits)))
    self.time = time
    self.report = report
  }

  /// Adds a connection. Returns `nil` if there is no place for it. `close` may be called from any thread.
  func admit(_ network: ClientNetwork, close: @escaping @Sendable () -> Void) -> OpenConnection? {
    let now = time.now().monotonic
    let (connection, closer, isReported) = state.withLock { state in
      var connection: OpenConnection?
      var closer: (@Sendable () -> Void)?
      var isFull = true
      switch state.table.admit(network) {
      case .admitted(let number):
        connection = OpenConnection(number: number, owner: self)
        isFull = false
      case .replaces(let number, let closed):
        connection = OpenConnection(number: number, owner: self)
        closer = state.closers.removeValue(forKey: closed)
      case .refused: break
      }
      if let connection { state.closers[connection.number] = close }
      return (connection, closer, isFull && Self.isReported(&state, at: now))
    }
    closer?()
    if isReported { report(network.description) }
    return connection
  }

  private static func isReported(_ state: inout State, at now: MonotonicTime) -> Bool {
    state.closed += 1
    if let last = state.reported, now.duration(since: last) < reportSpan { return false }
    state.reported = now
    return true
  }

  func change(_ number: Int, to newState: ConnectionTable.State) {
    state.withLock { $0.table.change(number, to: newState) }
  }

  func remove(_ number: Int) {
    // Objects that the closure holds may be deinitialised with it, which must not happen inside the lock.
    let closer = state.withLock { state in
      state.table.remove(number)
      return state.closers.removeValue(forKey: number)
    }
    withExtendedLifetime(closer) {}
  }

  // MARK: - Streams

  /// Returns a place for another event stream, or `nil` if the network has reached its limit.
  package func beginStream(_ network: ClientNetwork) -> EventStreamPlace? {
    let isFree = state.withLock { state in
      guard state.streams[network, default: 0] < limits.streams(of: network) else { return false }
      state.streams[network, default: 0] += 1
      return true
    }
    return isFree ? EventStreamPlace(network: network, owner: self) : nil
  }

  func endStream(_ network: ClientNetwork) {
    state.withLock { state in
      let left = state.streams[network, default: 0] - 1
      state.streams[network] = left > 0 ? left : nil
    }
  }

  // MARK: - Monitoring

  /// The numbers of connections: open ones, and those that were closed because there were too many.
  package var counts: (open: Int, closed: Int64) { state.withLock { ($0.table.count, $0.closed) } }
}
