import TachogramCore

/// Creates a plan from the survey of a capture.
struct CapturePlanner {
  /// The identity of a device: an address, or one end of one connection whose beginning was not captured. An address of zeros,
  /// as in this program's export of a strap without an address, is an ordinary address.
  private enum DeviceKey: Hashable {
    case address(BluetoothAddress)
    case anonymous(connection: Int, isNear: Bool)

    var address: BluetoothAddress {
      if case .address(let address) = self { address } else { .unknown }
    }
  }

  /// One end of a connection that notifies.
  private struct Server {
    let connection: Int
    let end: LinkEnd
    let key: DeviceKey
    let handles: [PlannedHandle]
  }

  /// The maximum number of described unidentified handles, and the least number of notifications for a description.
  private static let describedHandles = 20
  private static let fewestNotifications = 3

  private(set) var straps: [PlannedStrap] = []
  private(set) var unusableStraps: [PlannedStrap] = []
  private(set) var unidentifiedHandles: [UnidentifiedHandle] = []
  private(set) var routes: [[HandleRoute]]

  private let survey: CaptureSurvey
  private let given: UInt16?
  private let identities: [BluetoothAddress: BluetoothAddress]
  /// The indexes of devices in `straps`.
  private var indexes: [DeviceKey: Int] = [:]

  init(survey: CaptureSurvey, given: UInt16?) {
    self.survey = survey
    self.given = given
    identities = Self.identities(survey)
    routes = Array(repeating: [], count: survey.connections.count)
  }

  mutating func plan() {
    let devices = devices()
    let servers = servers(devices)
    for server in servers where indexes[server.key] == nil {
      guard server.handles.contains(where: { $0.usable > 0 }) else { continue }
      indexes[server.key] = straps.count
      straps.append(PlannedStrap(identity: StrapIdentity(address: server.key.address)))
    }
    let links = number(servers)
    for (place, server) in servers.enumerated() {
      routes[server.connection] += server.handles.enumerated().map { position, handle in
        handle.route(server.end, to: links[LinkPlace(server: place, handle: position)])
      }
    }
    account(servers)
    describe()
  }

  // MARK: - Devices

  /// Returns the identity addresses of the random addresses of all connections, as far as bonding revealed them.
  private static func identities(_ survey: CaptureSurvey) -> [BluetoothAddress: BluetoothAddress] {
    var identities: [BluetoothAddress: BluetoothAddress] = [:]
    for connection in survey.connections {
      for end in [LinkEnd.far, .near] {
        if let address = connection.address(end), let identity = connection.identity(end), address.kind == .random {
          identities[address] = identity
        }
      }
    }
    return identities
  }

  private func key(_ number: Int, _ end: LinkEnd) -> DeviceKey {
    let connection = survey.connections[number]
    if let identity = connection.identity(end) { return .address(identity) }
    guard let address = connection.address(end) else { return .anonymous(connection: number, isNear: end == .near) }
    return .address(identities[address] ?? address)
  }

  /// Returns the attributes of the devices with handles that have to be looked up.
  private func devices() -> [DeviceKey: DeviceAttributes] {
    guard given == nil else { return [:] }
    var wanted: [DeviceKey: Set<UInt16>] = [:]
    for (number, connection) in survey.connections.enumerated() {
      for end in [LinkEnd.far, .near] {
        let handles = connection.server(end).histories.filter(\.isUnsure).map(\.handle)
        if !handles.isEmpty { wanted[key(number, end), default: []].formUnion(handles) }
      }
    }
    if wanted.isEmpty { return [:] }
    var servers: [DeviceKey: [AttributeServer]] = [:]
    for (number, connection) in survey.connections.enumerated() {
      for end in [LinkEnd.far, .near] {
        let key = key(number, end)
        if wanted[key] != nil { servers[key, default: []].append(connection.server(end)) }
      }
    }
    return wanted.reduce(into: [:]) { devices, device in
      devices[device.key] = DeviceAttributes(servers[device.key] ?? [], handles: device.value)
    }
  }

  private func servers(_ devices: [DeviceKey: DeviceAttributes]) -> [Server] {
    var servers: [Server] = []
    for (number, connection) in survey.connections.enumerated() {
      for end in [LinkEnd.far, .near] {
        let server = connection.server(end)
        if server.histories.isEmpty { continue }
        let key = key(number, end)
        let handles = server.histories.map {
          PlannedHandle($0, server.stretches($0), device: devices[key], given: given)
        }
        servers.append(Server(connection: number, end: end, key: key, handles: handles))
      }
    }
    return servers
  }

  // MARK: - Links

  private struct LinkPlace: Hashable {
    let server: Int
    let handle: Int
  }

  /// Numbers the links of each strap in the order of their first notifications.
  private mutating func number(_ servers: [Server]) -> [LinkPlace: HandleRoute.Destination] {
    var begun: [(moment: Int, strap: Int, place: LinkPlace)] = []
    for (number, server) in servers.enumerated() {
      guard let strap = indexes[server.key] else { continue }
      for (position, handle) in server.handles.enumerated() {
        guard let moment = handle.begin else { continue }
        begun.append((moment, strap, LinkPlace(server: number, handle: position)))
      }
    }
    begun.sort { ($0.moment, $0.place.server, $0.place.handle) < ($1.moment, $1.place.server, $1.place.handle) }
    var links: [LinkPlace: HandleRoute.Destination] = [:]
    for (_, strap, place) in begun {
      let handle = servers[place.server].handles[place.handle]
      let number = straps[strap].links.count
      straps[strap].links.append(
        StrapLink(number: number, handle: handle.handle, handleSource: handle.source))
      links[place] = HandleRoute.Destination(strap: strap, link: number)
    }
    return links
  }

  // MARK: - What is said of straps

  /// Counts the notifications that are replayed, and those that are not.
  private mutating func account(_ servers: [Server]) {
    var unusable: [DeviceKey: Int] = [:]
    for server in servers {
      for handle in server.handles {
        if let strap = indexes[server.key] {
          straps[strap].notifications += handle.usable
          straps[strap].leftOut.add(handle.leftOut)
          if handle.reassigned > 0 { straps[strap].reassigned[handle.handle, default: 0] += handle.reassigned }
        } else if handle.leftOut.total > 0 {
          let place = unusable[server.key] ?? unusableStraps.count
          if place == unusableStraps.count {
            unusable[server.key] = place
            unusableStraps.append(PlannedStrap(identity: StrapIdentity(address: server.key.address)))
          }
          unusableStraps[place].leftOut.add(handle.leftOut)
        }
        if handle.unidentified >= Self.fewestNotifications, unidentifiedHandles.count < Self.describedHandles {
          unidentifiedHandles.append(
            UnidentifiedHandle(
              address: server.key.address, handle: handle.handle, notifications: handle.unidentified))
        }
      }
    }
    for (number, connection) in survey.connections.enumerated() where !unusable.isEmpty {
      for end in [LinkEnd.far, .near] {
        if let place = unusable[key(number, end)] { describe(&unusableStraps[place].identity, connection, end) }
      }
    }
  }

  /// Adds the facts about straps that connections reveal, from the first connection with heart rate on.
  private mutating func describe() {
    var hasBegun = Set<Int>()
    for (number, connection) in survey.connections.enumerated() {
      for end in [LinkEnd.far, .near] {
        guard let strap = indexes[key(number, end)] else { continue }
        if routes[number].contains(where: { $0.destination?.strap == strap }) { hasBegun.insert(strap) }
        if hasBegun.contains(strap) { describe(&straps[strap].identity, connection, end) }
      }
    }
  }

  private func describe(_ identity: inout StrapIdentity, _ connection: SurveyedConnection, _ end: LinkEnd) {
    identity.characteristics.merge(connection.server(end).characteristics) { $1 }
    if identity.characteristics[StrapIdentity.deviceName] == nil,
      let name = connection.addresses(end).compactMap({ survey.names[$0] }).first
    {
      identity.characteristics[StrapIdentity.deviceName] = name
    }
  }
}
