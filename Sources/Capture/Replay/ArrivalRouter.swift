import TachogramCore

/// Tells to which strap and link of the plan what a capture holds belongs, and numbers it: while the capture is read
/// again, or from what the survey kept of it.
struct ArrivalRouter: CaptureSink {
  /// A route of the plan, and what went along it.
  private struct Way {
    let route: HeartRateRoute
    var notifications = 0
    /// Whether it has notified and its link is still up.
    var isOpen = false
  }

  /// The ways of all connections, and where those of each connection stand, by its number.
  private var ways: [Way] = []
  private var waysOfConnection: [Range<Int>] = []
  /// The connection and the way of the last notification; the next one is nearly always alike.
  private var last: (connection: Int, way: Int)?
  private var now = ReplayClock.Reading()
  private var nextSequence: [Int64] = []
  /// What the last record gave and nobody has taken.
  private var waiting: [(arrival: ReplayedArrival, value: [UInt8])] = []

  /// A router that knows no way yet; `adopt` tells it some.
  init() {}

  /// Goes on by a plan that knows more of the capture. `false` when that one has other ways where there were some.
  mutating func adopt(_ plan: CapturePlan) -> Bool {
    var (ways, waysOfConnection): ([Way], [Range<Int>]) = ([], [])
    var kept = 0
    for (connection, routes) in plan.routes.enumerated() {
      let start = ways.count
      for route in routes {
        let before = wayIndices(connection).first { self.ways[$0].route.isSame(as: route) }
        kept += before == nil ? 0 : 1
        ways.append(
          Way(
            route: route, notifications: before.map { self.ways[$0].notifications } ?? 0,
            isOpen: before.map { self.ways[$0].isOpen } ?? false))
      }
      waysOfConnection.append(start..<ways.count)
    }
    guard kept == self.ways.count else { return false }
    (self.ways, self.waysOfConnection, last) = (ways, waysOfConnection, nil)
    nextSequence += Array(repeating: 0, count: max(0, plan.straps.count - nextSequence.count))
    return true
  }

  /// Whether all that the survey counted went its way.
  var isComplete: Bool { ways.allSatisfy { $0.notifications == $0.route.notifications } }

  /// Starts a record that was captured at `time`.
  @inline(__always)
  mutating func begin(_ time: ReplayClock.Reading) {
    now = time
  }

  /// The arrival of a value that `end` notified on `handle`; `nil` when the plan does not want it.
  @inline(__always)
  mutating func notified(_ handle: UInt16, connection: Int, end: LinkEnd) -> ReplayedArrival? {
    if let last, last.connection == connection, ways[last.way].route.handle == handle, ways[last.way].route.end == end {
      return notified(last.way)
    }
    let found = wayIndices(connection).first { ways[$0].route.handle == handle && ways[$0].route.end == end }
    guard let found else { return nil }
    last = (connection, found)
    return notified(found)
  }

  @inline(__always)
  private mutating func notified(_ way: Int) -> ReplayedArrival {
    ways[way].isOpen = true
    ways[way].notifications += 1
    return arrival(of: ways[way].route, disconnection: nil)
  }

  /// Gives what waits away.
  @inline(__always)
  mutating func drain(_ body: (ReplayedArrival, Span<UInt8>) throws -> Void) rethrows {
    if waiting.isEmpty { return }
    for (arrival, value) in waiting { try body(arrival, value.span) }
    waiting.removeAll(keepingCapacity: true)
  }

  // MARK: - CaptureSink

  var wantsAdvertisements: Bool { false }

  mutating func connectionAppeared(_ number: Int, near: BluetoothAddress?, far: BluetoothAddress?) {}

  mutating func identity(_ address: BluetoothAddress, connection: Int, sender: LinkEnd?) {}

  mutating func advertisedName(_ name: Span<UInt8>, of address: BluetoothAddress) {}

  mutating func attribute(_ pdu: Span<UInt8>, connection: Int, sender: LinkEnd?) {
    guard let opcode = AttributeOpcode(of: pdu) else { return }
    AttributePDU.forEachNotification(opcode, pdu) { handle, value in
      guard let arrival = notified(handle, connection: connection, end: sender ?? .far) else { return }
      waiting.append((arrival, value.copied()))
    }
  }

  mutating func disconnected(_ connection: Int, reason: UInt8) {
    for index in wayIndices(connection) where ways[index].isOpen {
      ways[index].isOpen = false
      waiting.append((arrival(of: ways[index].route, disconnection: reason), []))
    }
  }

  /// None for a connection that the plan does not know: the file is another one than was surveyed.
  private func wayIndices(_ connection: Int) -> Range<Int> {
    connection < waysOfConnection.count ? waysOfConnection[connection] : 0..<0
  }

  @inline(__always)
  private mutating func arrival(of route: HeartRateRoute, disconnection: UInt8?) -> ReplayedArrival {
    let sequence = nextSequence[route.strap]
    nextSequence[route.strap] = sequence + 1
    return ReplayedArrival(
      strap: route.strap, sequence: sequence, link: route.link, monotonic: now.monotonic, wall: now.wall,
      disconnection: disconnection)
  }
}
