import TachogramCore

/// Assigns the events of a capture to the straps and links of the plan, and numbers them: while the capture is read a second
/// time, or from the pieces that the survey collected.
struct ArrivalRouter: CaptureSink {
  /// A route of the plan, with the events that followed it.
  private struct Way {
    private(set) var route: HandleRoute
    /// The number of notifications of its handle, used or not.
    private(set) var seen = 0
    /// Whether a notification was used, and the link is still up.
    var isOpen = false
    /// The index of the current part of the route.
    private var part = 0
    private var partEnd = 0
    private var isUsed = false

    init(_ route: HandleRoute) {
      self.route = route
      enter(0)
    }

    /// Counts the next notification. Returns its destination.
    @inline(__always)
    mutating func advance() -> HandleRoute.Destination? {
      if seen == partEnd { enter(part + 1) }
      seen += 1
      return isUsed ? route.destination : nil
    }

    /// Replaces the route with a newer one. Returns `false` if the newer route sends an earlier notification elsewhere.
    mutating func adopt(_ newer: HandleRoute) -> Bool {
      guard route.agrees(with: newer, on: seen) else { return false }
      route = newer
      enter(newer.parts.firstIndex { seen < $0.end } ?? newer.parts.count)
      return true
    }

    @inline(never)
    private mutating func enter(_ part: Int) {
      self.part = part
      let isKnown = part < route.parts.count
      (partEnd, isUsed) = isKnown ? (route.parts[part].end, route.parts[part].isUsed) : (.max, false)
    }
  }

  /// The key of a way.
  private struct Place: Hashable {
    let connection: Int
    let end: LinkEnd
    let handle: UInt16
  }

  /// The state of a strap.
  private struct Strap {
    var nextSequence: Int64 = 0
    /// The way of its last notification.
    var lastWay: Int?
    /// Whether it has notified since the last loss.
    var hasNotified = false
  }

  /// The ways of all connections, and their indexes by key.
  private var ways: [Way] = []
  private var wayOfPlace: [Place: Int] = [:]
  /// The open ways, by connection.
  private var openWays: [Int: [Int]] = [:]
  private var straps: [Strap] = []
  /// The connection and the way of the last notification; the next one is nearly always the same.
  private var last: (connection: Int, way: Int)?
  private var now = ReplayClock.Reading()
  /// The arrivals of the last record that were not yet consumed.
  private var waiting: [(arrival: ReplayedArrival, value: [UInt8])] = []

  /// A router without routes; `adopt` adds some.
  init() {}

  /// Replaces the plan with one of more of the capture. Returns `false` if it sends an earlier notification elsewhere.
  mutating func adopt(_ plan: CapturePlan) -> Bool {
    var (ways, wayOfPlace): ([Way], [Place: Int]) = ([], [:])
    wayOfPlace.reserveCapacity(self.wayOfPlace.count)
    /// The previous index of each way; the indexes of open ways change.
    var places: [Int: Int] = [:]
    for (connection, routes) in plan.routes.enumerated() {
      for route in routes {
        let place = Place(connection: connection, end: route.end, handle: route.handle)
        var way = Way(route)
        if let before = self.wayOfPlace[place] {
          way = self.ways[before]
          guard way.adopt(route) else { return false }
          places[before] = ways.count
        }
        wayOfPlace[place] = ways.count
        ways.append(way)
      }
    }
    guard places.count == self.ways.count else { return false }
    (self.ways, self.wayOfPlace, last) = (ways, wayOfPlace, nil)
    openWays = openWays.mapValues { open in open.compactMap { places[$0] } }
    for strap in straps.indices { straps[strap].lastWay = straps[strap].lastWay.flatMap { places[$0] } }
    straps += Array(repeating: Strap(), count: max(0, plan.straps.count - straps.count))
    return true
  }

  /// Whether all notifications that the survey counted have arrived.
  var isComplete: Bool { ways.allSatisfy { $0.seen == $0.route.notifications } }

  /// Begins a record that was captured at `time`.
  @inline(__always)
  mutating func begin(_ time: ReplayClock.Reading) {
    now = time
  }

  /// Returns the arrival of a value that `end` notified on `handle`, or `nil` if the plan does not use it or it has no time.
  @inline(__always)
  mutating func notified(_ handle: UInt16, connection: Int, end: LinkEnd) -> ReplayedArrival? {
    if let last, last.connection == connection, ways[last.way].route.handle == handle, ways[last.way].route.end == end {
      return notified(last.way)
    }
    guard let found = wayOfPlace[Place(connection: connection, end: end, handle: handle)] else { return nil }
    last = (connection, found)
    return notified(found)
  }

  @inline(__always)
  private mutating func notified(_ way: Int) -> ReplayedArrival? {
    guard let destination = ways[way].advance(), now.isKnown else { return nil }
    if !ways[way].isOpen { open(way, of: destination.strap) }
    straps[destination.strap].lastWay = way
    straps[destination.strap].hasNotified = true
    return arrival(at: destination, disconnection: nil)
  }

  /// Opens the link of a way. If heart rate moves from one handle of a connection to another, the first link ends with the
  /// first notification on the other handle.
  private mutating func open(_ way: Int, of strap: Int) {
    ways[way].isOpen = true
    guard let connection = last?.connection else { return }
    var open = openWays[connection] ?? []
    for other in open where ways[other].route.destination?.strap == strap { ways[other].isOpen = false }
    open.removeAll { !ways[$0].isOpen }
    openWays[connection] = open + [way]
  }

  /// Handles the capture's statement that packets were dropped: for each strap with an open link, notifications may be missing.
  mutating func dropped() {
    for strap in straps.indices where straps[strap].hasNotified {
      guard let way = straps[strap].lastWay, ways[way].isOpen, let link = ways[way].route.destination else { continue }
      straps[strap].hasNotified = false
      waiting.append((arrival(at: link, disconnection: DisconnectionCode.captureLoss), []))
    }
  }

  /// Consumes the waiting arrivals.
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
    // The code that stands for a loss is not a reason of a disconnection.
    let reason = reason == DisconnectionCode.captureLoss ? 0 : reason
    for way in (openWays.removeValue(forKey: connection) ?? []).sorted() where ways[way].isOpen {
      ways[way].isOpen = false
      if let link = ways[way].route.destination {
        waiting.append((arrival(at: link, disconnection: reason), []))
      }
    }
  }

  @inline(__always)
  private mutating func arrival(at link: HandleRoute.Destination, disconnection: UInt8?) -> ReplayedArrival {
    let sequence = straps[link.strap].nextSequence
    straps[link.strap].nextSequence = sequence + 1
    return ReplayedArrival(
      strap: link.strap, sequence: sequence, link: link.link, monotonic: now.monotonic, wall: now.wall,
      disconnection: disconnection)
  }
}
