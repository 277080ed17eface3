import TachogramCore

/// The second pass over a capture: makes ledger entries of the notifications that the plan routes.
struct EntryEmitter: CaptureSink {
  /// The routes of all connections, and where those of each connection stand, by its number.
  private var routes: [HeartRateRoute] = []
  private var routesOfConnection: [Range<Int>] = []
  private var clock = ReplayClock()
  private var now: (monotonic: MonotonicTime, wall: WallTime) = (.init(microseconds: 0), .init(microseconds: 0))
  private var nextSequence: [Int64]
  /// What the last record gave and nobody has taken.
  private var entries: [(strap: Int, entry: LedgerEntry)] = []

  init(plan: CapturePlan) {
    for connection in plan.routes {
      let start = routes.count
      routes += connection
      routesOfConnection.append(start..<routes.count)
    }
    nextSequence = Array(repeating: 0, count: plan.straps.count)
  }

  /// Starts a record that was captured at `time`, in microseconds since 1970.
  mutating func begin(_ time: Int64) {
    now = clock.advance(to: time)
  }

  /// Gives what the record led to away, each entry with the index of its strap in the plan.
  mutating func drain(_ body: (Int, LedgerEntry) throws -> Void) rethrows {
    if entries.count <= 1 {
      // Nearly always; taking it out spares a copy.
      if let (strap, entry) = entries.popLast() { try body(strap, entry) }
      return
    }
    for (strap, entry) in entries { try body(strap, entry) }
    entries.removeAll(keepingCapacity: true)
  }

  var wantsAdvertisements: Bool { false }

  mutating func connectionAppeared(_ number: Int, near: BluetoothAddress?, far: BluetoothAddress?) {}

  mutating func identity(_ address: BluetoothAddress, connection: Int, sender: LinkEnd?) {}

  mutating func advertisedName(_ name: Span<UInt8>, of address: BluetoothAddress) {}

  mutating func attribute(_ pdu: Span<UInt8>, connection: Int, sender: LinkEnd?) {
    let candidates = routeIndices(connection)
    guard !candidates.isEmpty, let opcode = pdu.byte(at: 0).flatMap(AttributeOpcode.init(rawValue:)) else { return }
    AttributePDU.forEachNotification(opcode, pdu) { handle, value in
      for index in candidates where routes[index].handle == handle && routes[index].end == sender ?? .far {
        if !routes[index].isOpen { routes[index].isOpen = true }
        emit(.notification(value.copied()), routes[index])
      }
    }
  }

  mutating func disconnected(_ connection: Int, reason: UInt8) {
    for index in routeIndices(connection) where routes[index].isOpen {
      routes[index].isOpen = false
      emit(.linkDown(reason: reason), routes[index])
    }
  }

  /// None for a connection that the plan does not know: the file is another one than was surveyed.
  private func routeIndices(_ connection: Int) -> Range<Int> {
    connection < routesOfConnection.count ? routesOfConnection[connection] : 0..<0
  }

  private mutating func emit(_ content: LedgerEntry.Content, _ route: HeartRateRoute) {
    let entry = LedgerEntry(
      sequence: nextSequence[route.strap], link: route.link, monotonic: now.monotonic, wall: now.wall, content: content)
    nextSequence[route.strap] += 1
    entries.append((route.strap, entry))
  }
}
