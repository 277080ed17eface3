import TachogramCore

/// What the survey of a capture found: its straps, and which handles of which connections to replay.
package struct CapturePlan: Sendable {
  package private(set) var straps: [PlannedStrap] = []
  package let summary: CaptureSummary
  /// Which state of the survey it is the plan of.
  let revision: Int
  /// Routes by connection number.
  private(set) var routes: [[HeartRateRoute]]

  /// Whose notifications belong together: an address, or one end of one connection that began unheard. An address of
  /// zeros, as this program's own export of a strap without one has it, is an address like any other.
  private enum StrapKey: Hashable {
    case address(BluetoothAddress)
    case anonymous(connection: Int, isNear: Bool)

    var address: BluetoothAddress {
      if case .address(let address) = self { address } else { .unknown }
    }
  }

  /// Makes the plan. `handle`, when given, carries heart rate on every connection that notifies on it.
  init(survey: CaptureSurvey, summary: CaptureSummary, handle: UInt16?) {
    self.summary = summary
    revision = survey.revision
    routes = Array(repeating: [], count: survey.connections.count)
    let identities = Self.identities(survey)
    var known: [StrapKey: Set<UInt16>] = [:]
    for (number, connection) in survey.connections.enumerated() {
      for end in [LinkEnd.far, .near] {
        known[Self.key(connection, number, end, identities), default: []].formUnion(
          connection.server(end).heartRateHandles)
      }
    }
    var indexes: [StrapKey: Int] = [:]
    for (number, connection) in survey.connections.enumerated() {
      for end in [LinkEnd.far, .near] {
        let server = connection.server(end)
        let key = Self.key(connection, number, end, identities)
        let (handles, source) = Self.handles(server, known: known[key] ?? [], given: handle)
        for handle in handles.sorted() where server.notificationCount(handle) > 0 {
          let index = indexes[key] ?? straps.count
          if index == straps.count {
            indexes[key] = index
            straps.append(PlannedStrap(identity: StrapIdentity(address: key.address)))
          }
          let link = StrapLink(number: straps[index].links.count, handle: handle, handleSource: source)
          straps[index].links.append(link)
          straps[index].notifications += server.notificationCount(handle)
          routes[number].append(
            HeartRateRoute(
              end: end, handle: handle, strap: index, link: link.number,
              notifications: server.notificationCount(handle)))
        }
        if let index = indexes[key] { describe(index, connection, end, survey.names) }
      }
    }
  }

  /// The identity addresses behind the random ones of all connections, as far as bonding told them.
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

  private static func key(
    _ connection: SurveyedConnection, _ number: Int, _ end: LinkEnd, _ identities: [BluetoothAddress: BluetoothAddress]
  ) -> StrapKey {
    if let identity = connection.identity(end) { return .address(identity) }
    guard let address = connection.address(end) else { return .anonymous(connection: number, isNear: end == .near) }
    return .address(identities[address] ?? address)
  }

  private static func handles(
    _ server: AttributeServer, known: Set<UInt16>, given: UInt16?
  ) -> (Set<UInt16>, HandleSource) {
    if let given { return ([given], .given) }
    if !server.heartRateHandles.isEmpty { return (server.heartRateHandles, .discovered) }
    if !known.isEmpty { return (known, .inherited) }
    return (server.inferredHandles, .inferred)
  }

  /// Adds what this connection tells of the strap itself.
  private mutating func describe(
    _ index: Int, _ connection: SurveyedConnection, _ end: LinkEnd, _ names: [BluetoothAddress: [UInt8]]
  ) {
    straps[index].identity.characteristics.merge(connection.server(end).characteristics) { $1 }
    if straps[index].identity.characteristics[StrapIdentity.deviceName] == nil,
      let name = connection.addresses(end).compactMap({ names[$0] }).first
    {
      straps[index].identity.characteristics[StrapIdentity.deviceName] = name
    }
  }
}
