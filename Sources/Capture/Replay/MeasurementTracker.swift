import GATT
import TachogramCore

/// Finds the measurement streams of Polar straps in a capture: the characteristics by discovery, which bonded straps do once,
/// or by a request with its response; then starts, frames and ends. The straps are those of the plan.
struct MeasurementTracker: CaptureSink {
  /// The handles of the measurement service.
  private struct Handles {
    var controlPoint: UInt16?
    var data: UInt16?
  }

  /// The state of the server on one end of a connection.
  private struct Server {
    var handles = Handles()
    /// The last request to each handle that may be a control point.
    var requests: [UInt16: [UInt8]] = [:]
    var running: Set<PolarMeasurementType> = []
  }

  private struct Place: Hashable {
    let connection: Int
    let end: LinkEnd
  }

  /// The lengths of the fields of a characteristic declaration with a UUID of 128 bits: handle, properties, value handle, UUID.
  private static let declaration = 21
  private static let mostRequests = 8

  private let destinations: [Place: HandleRoute.Destination]
  private var servers: [Place: Server] = [:]
  /// The handles that were discovered on the last connection to an address.
  private var known: [BluetoothAddress: Handles] = [:]
  private var addresses: [Place: BluetoothAddress] = [:]
  private var now = ReplayClock.Reading()
  private var found: [(strap: Int, measurement: ReplayedMeasurement)] = []

  init(_ plan: CapturePlan) {
    var destinations: [Place: HandleRoute.Destination] = [:]
    for (connection, routes) in plan.routes.enumerated() {
      for route in routes {
        guard let destination = route.destination else { continue }
        let place = Place(connection: connection, end: route.end)
        destinations[place] = destinations[place] ?? destination
      }
    }
    self.destinations = destinations
  }

  /// Begins a record that was captured at `time`.
  mutating func begin(_ time: ReplayClock.Reading) { now = time }

  /// Consumes what was found in the record.
  mutating func drain(_ body: (Int, ReplayedMeasurement) throws -> Void) rethrows {
    if found.isEmpty { return }
    for (strap, measurement) in found { try body(strap, measurement) }
    found.removeAll(keepingCapacity: true)
  }

  // MARK: - CaptureSink

  var wantsAdvertisements: Bool { false }

  mutating func connectionAppeared(_ number: Int, near: BluetoothAddress?, far: BluetoothAddress?) {
    for (end, address) in [(LinkEnd.near, near), (.far, far)] {
      guard let address else { continue }
      let place = Place(connection: number, end: end)
      addresses[place] = address
      if let handles = known[address] { servers[place, default: Server()].handles = handles }
    }
  }

  mutating func identity(_ address: BluetoothAddress, connection: Int, sender: LinkEnd?) {}

  mutating func advertisedName(_ name: Span<UInt8>, of address: BluetoothAddress) {}

  mutating func disconnected(_ connection: Int, reason: UInt8) {
    for end in [LinkEnd.near, .far] { servers[Place(connection: connection, end: end)]?.running = [] }
  }

  mutating func attribute(_ pdu: Span<UInt8>, connection: Int, sender: LinkEnd?) {
    guard let opcode = AttributeOpcode(of: pdu) else { return }
    switch opcode {
    case .notification, .indication, .multipleNotification:
      let place = Place(connection: connection, end: sender ?? .far)
      guard destinations[place] != nil, servers[place] != nil else { return }
      AttributePDU.forEachNotification(opcode, pdu) { handle, value in receive(handle, value, of: place) }
    case .readByTypeResponse:
      discover(pdu, Place(connection: connection, end: sender ?? .far))
    case .writeRequest, .writeCommand:
      let client = sender ?? .near
      request(pdu, of: Place(connection: connection, end: client == .near ? .far : .near))
    default: break
    }
  }

  // MARK: - Discovery

  private mutating func discover(_ pdu: Span<UInt8>, _ place: Place) {
    guard pdu.byte(at: 1) == UInt8(Self.declaration) else { return }
    var position = 2
    while pdu.holds(Self.declaration, at: position) {
      let uuid = pdu.extracting((position + 5)..<(position + Self.declaration)).copied()
      if let handle = pdu.littleEndian16(at: position + 3) {
        if uuid == Self.controlPoint { servers[place, default: Server()].handles.controlPoint = handle }
        if uuid == Self.data { servers[place, default: Server()].handles.data = handle }
      }
      position += Self.declaration
    }
    if let address = addresses[place], let server = servers[place] { known[address] = server.handles }
  }

  private static let controlPoint = bytes(of: PolarMeasurementUUID.controlPoint)
  private static let data = bytes(of: PolarMeasurementUUID.data)

  /// Returns the bytes of a UUID as in PDUs, the least significant first.
  static func bytes(of uuid: String) -> [UInt8] {
    let digits = uuid.filter { $0 != "-" }.compactMap(\.hexDigitValue)
    return stride(from: digits.count - 2, through: 0, by: -2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  // MARK: - Streams

  private mutating func request(_ pdu: Span<UInt8>, of place: Place) {
    guard let handle = pdu.littleEndian16(at: 1), destinations[place] != nil, pdu.count > 4 else { return }
    let value = pdu.extracting(droppingFirst: 3).copied()
    guard let request = try? PolarControlPointRequest.decode(value[...]) else { return }
    var server = servers[place] ?? Server()
    if let known = server.handles.controlPoint, known != handle { return }
    if case .stop(let measurement) = request { server.running.remove(measurement) }
    server.requests[handle] = server.requests.count < Self.mostRequests ? value : server.requests[handle]
    servers[place] = server
  }

  private mutating func receive(_ handle: UInt16, _ value: Span<UInt8>, of place: Place) {
    guard var server = servers[place] else { return }
    if handle == server.handles.controlPoint ?? handle, let request = server.requests[handle],
      value.byte(at: 0) == PolarControlPointResponse.code
    {
      respond(value.copied(), to: request, &server, handle, place)
    } else if handle == server.handles.controlPoint {
      guard case .stopped(let measurements)? = try? PolarControlPointIndication.decode(value.copied()[...]) else {
        return
      }
      server.running.subtract(measurements)
      add(.stopped(value.copied()), place)
    } else if isData(handle, value, &server) {
      add(.frame(value.copied()), place)
    }
    servers[place] = server
  }

  private mutating func respond(
    _ value: [UInt8], to request: [UInt8], _ server: inout Server, _ handle: UInt16, _ place: Place
  ) {
    guard let response = try? PolarControlPointResponse.decode(value[...]), value.count >= 3,
      Array(request.prefix(2)) == Array(value[1..<3])
    else { return }
    server.handles.controlPoint = handle
    guard response.operation == .start, response.status == .success else { return }
    server.running.insert(response.measurement)
    server.requests[handle] = nil
    add(.started(request: request, response: value), place)
  }

  /// Whether a value is a frame. If discovery was not captured, the data have the first handle whose value is a frame of a stream
  /// that runs.
  private func isData(_ handle: UInt16, _ value: Span<UInt8>, _ server: inout Server) -> Bool {
    if let data = server.handles.data { return data == handle }
    guard let control = server.handles.controlPoint, handle > control, let type = value.byte(at: 0),
      server.running.contains(PolarMeasurementType(byte: type)),
      (try? PolarMeasurementFrame.decode(value.copied()[...])) != nil
    else { return false }
    server.handles.data = handle
    return true
  }

  private mutating func add(_ content: SensorEntry.Content, _ place: Place) {
    guard let destination = destinations[place], now.isKnown else { return }
    found.append(
      (
        destination.strap,
        ReplayedMeasurement(link: destination.link, monotonic: now.monotonic, wall: now.wall, content: content)
      ))
  }
}
