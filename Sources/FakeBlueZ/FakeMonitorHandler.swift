import DBus

/// A handler of calls to `AdvertisementMonitorManager1`. Registering asks the client for its monitors.
struct FakeMonitorHandler: Sendable {
  let fake: FakeBlueZ

  func respond(_ call: DBusIncomingCall, adapter index: Int) async throws -> [DBusValue] {
    let path = try call.arguments.exactly(1)[0].asPath()
    let owner = call.sender
    switch call.member {
    case "RegisterMonitor":
      try await fake.mutate { try FakeMonitoring.reserve(&$0, index, owner: owner, path: path) }
      let objects = try await monitors(owner: owner, path: path)
      let isAccepted = fake.configuration.acceptsMonitors
      await fake.mutate {
        FakeMonitoring.expose(&$0, index, owner: owner, path: path, objects, isAccepted: isAccepted)
      }
    case "UnregisterMonitor":
      try await fake.mutate { try FakeMonitoring.unregister(&$0, index, owner: owner, path: path) }
    default: throw FakeBlueZError.unknownMethod
    }
    return []
  }

  /// The monitors that a client exposes below a path.
  private func monitors(
    owner: String, path: DBusObjectPath,
  ) async throws -> [(path: DBusObjectPath, properties: [String: DBusValue])] {
    let answer = try await fake.ask(
      DBusMethodCall(
        destination: owner, path: path, interface: FakeNames.objectManager, member: "GetManagedObjects", arguments: []))
    var monitors: [(path: DBusObjectPath, properties: [String: DBusValue])] = []
    for (object, interfaces) in try answer.exactly(1)[0].asDictionary() {
      for (interface, properties) in try interfaces.asDictionary() where interface == .string(FakeNames.monitor) {
        monitors.append((try object.asPath(), try properties.asProperties()))
      }
    }
    return monitors.sorted { $0.path.text < $1.path.text }
  }
}
