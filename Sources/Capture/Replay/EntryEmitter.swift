import TachogramCore

/// Makes ledger entries of the notifications that the plan routes, while the capture is read again or from what the
/// survey kept of it.
struct EntryEmitter: CaptureSink {
  /// The routes of all connections, and where those of each connection stand, by its number.
  private var routes: [HeartRateRoute] = []
  private var routesOfConnection: [Range<Int>] = []
  private var now = ReplayClock.Reading()
  private var nextSequence: [Int64]
  /// What the last record gave and nobody has taken.
  private var entries: [(strap: Int, entry: LedgerEntry)] = []
  /// The value that was given away last.
  private var spare: [UInt8] = []

  init(plan: CapturePlan) {
    for connection in plan.routes {
      let start = routes.count
      routes += connection
      routesOfConnection.append(start..<routes.count)
    }
    nextSequence = Array(repeating: 0, count: plan.straps.count)
  }

  /// Starts a record that was captured at `time`.
  mutating func begin(_ time: ReplayClock.Reading) {
    now = time
  }

  /// Gives what the record led to away, each entry with the index of its strap in the plan.
  mutating func drain(_ body: (Int, LedgerEntry) throws -> Void) rethrows {
    if entries.isEmpty { return }
    for (strap, entry) in entries { try body(strap, entry) }
    entries.removeAll(keepingCapacity: true)
  }

  var wantsAdvertisements: Bool { false }

  mutating func connectionAppeared(_ number: Int, near: BluetoothAddress?, far: BluetoothAddress?) {}

  mutating func identity(_ address: BluetoothAddress, connection: Int, sender: LinkEnd?) {}

  mutating func advertisedName(_ name: Span<UInt8>, of address: BluetoothAddress) {}

  mutating func attribute(_ pdu: Span<UInt8>, connection: Int, sender: LinkEnd?) {
    forEachEntry(pdu, connection: connection, sender: sender) { $0.entries.append(($1, $2)) }
  }

  mutating func disconnected(_ connection: Int, reason: UInt8) {
    for index in routeIndices(connection) where routes[index].isOpen {
      routes[index].isOpen = false
      entries.append((routes[index].strap, entry(.linkDown(reason: reason), routes[index])))
    }
  }

  /// Gives the entries of an attribute PDU away at once, each with the index of its strap in the plan.
  @inline(__always)
  mutating func forEachEntry(
    _ pdu: Span<UInt8>, connection: Int, sender: LinkEnd?, _ body: (inout EntryEmitter, Int, LedgerEntry) throws -> Void
  ) rethrows {
    let candidates = routeIndices(connection)
    guard !candidates.isEmpty, let opcode = AttributeOpcode(of: pdu) else { return }
    try AttributePDU.forEachNotification(opcode, pdu) { handle, bytes in
      for index in candidates where routes[index].handle == handle && routes[index].end == sender ?? .far {
        routes[index].isOpen = true
        let route = routes[index]
        let value = array(of: bytes)
        try body(&self, route.strap, entry(.notification(value), route))
        spare = value
      }
    }
  }

  /// The bytes in the array of the last value, where nobody kept that, else in a new one.
  @inline(__always)
  private mutating func array(of value: Span<UInt8>) -> [UInt8] {
    var array: [UInt8] = []
    swap(&array, &spare)
    if array.count > value.count { array.removeLast(array.count - value.count) }
    array.withUnsafeMutableBufferPointer { array in
      for index in array.indices { array[index] = value[index] }
    }
    for index in array.count..<value.count { array.append(value[index]) }
    return array
  }

  /// None for a connection that the plan does not know: the file is another one than was surveyed.
  private func routeIndices(_ connection: Int) -> Range<Int> {
    connection < routesOfConnection.count ? routesOfConnection[connection] : 0..<0
  }

  @inline(__always)
  private mutating func entry(_ content: LedgerEntry.Content, _ route: HeartRateRoute) -> LedgerEntry {
    let sequence = nextSequence[route.strap]
    nextSequence[route.strap] += 1
    return LedgerEntry(
      sequence: sequence, link: route.link, monotonic: now.monotonic, wall: now.wall, content: content)
  }
}
