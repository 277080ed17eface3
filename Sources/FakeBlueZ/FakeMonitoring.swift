import DBus

/// The behaviour of `AdvertisementMonitorManager1` (BlueZ 5.66, `src/adv_monitor.c`).
enum FakeMonitoring {
  /// Reserves a path for the monitors of a client.
  static func reserve(
    _ world: inout FakeWorld, _ index: Int, owner: String, path: DBusObjectPath,
  ) throws(FakeBlueZError) {
    let isTaken = world.adapters[index]?.applications.contains { $0.owner == owner && $0.path == path }
    guard isTaken == false else { throw .alreadyExists }
    world.adapters[index]?.applications.append(FakeMonitorApplication(owner: owner, path: path))
  }

  /// Adds the monitors that a client exposes, given by path with their properties. Each is activated, or released if it is
  /// invalid or if the kernel refuses it (`isAccepted` is false).
  static func expose(
    _ world: inout FakeWorld, _ index: Int, owner: String, path: DBusObjectPath,
    _ objects: [(path: DBusObjectPath, properties: [String: DBusValue])], isAccepted: Bool,
  ) {
    guard let place = world.adapters[index]?.applications.firstIndex(where: { $0.owner == owner && $0.path == path })
    else { return }
    for object in objects where object.path.text.hasPrefix(path.text) {
      let monitor = isAccepted ? FakeMonitor(path: object.path, object.properties) : nil
      call(&world, owner, object.path, monitor == nil ? "Release" : "Activate")
      if let monitor { world.adapters[index]?.applications[place].monitors.append(monitor) }
    }
    FakeDiscovery.hearAll(&world, on: index)
  }

  /// Removes and releases the monitors of a client.
  static func unregister(
    _ world: inout FakeWorld, _ index: Int, owner: String, path: DBusObjectPath,
  ) throws(FakeBlueZError) {
    let applications = world.adapters[index]?.applications ?? []
    guard let place = applications.firstIndex(where: { $0.owner == owner && $0.path == path }) else {
      throw .doesNotExist
    }
    world.adapters[index]?.applications.remove(at: place)
    release(&world, applications[place])
  }

  /// Releases all monitors, as when the kernel removes them. Registrations remain without monitors.
  static func releaseAll(_ world: inout FakeWorld) {
    for (index, adapter) in world.adapters {
      for (place, application) in adapter.applications.enumerated() {
        release(&world, application)
        world.adapters[index]?.applications[place].monitors = []
      }
    }
  }

  /// Notifies the monitors of a strap, once for each advertisement.
  static func found(_ world: inout FakeWorld, _ index: Int, _ strap: FakeStrap, _ device: DBusObjectPath) {
    for application in world.adapters[index]?.applications ?? [] {
      for monitor in application.monitors where monitor.matches(strap) {
        call(&world, application.owner, monitor.path, "DeviceFound", [.objectPath(device)])
      }
    }
  }

  private static func release(_ world: inout FakeWorld, _ application: FakeMonitorApplication) {
    for monitor in application.monitors { call(&world, application.owner, monitor.path, "Release") }
  }

  private static func call(
    _ world: inout FakeWorld, _ owner: String, _ path: DBusObjectPath, _ member: String, _ arguments: [DBusValue] = [],
  ) {
    world.pendingCalls.append(
      FakeClientCall(owner: owner, path: path, interface: FakeNames.monitor, member: member, arguments: arguments))
  }
}
