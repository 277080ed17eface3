import DBus
import FakeBlueZ
import TachogramCore
import TachogramTestKit

/// A private bus with a fake daemon on it, and a client that talks to it as a program would.
struct BusClient {
  static let objectManager = "org.freedesktop.DBus.ObjectManager"
  static let properties = "org.freedesktop.DBus.Properties"

  let bus: PrivateBus
  let fake: FakeBlueZ
  let connection: DBusConnection

  static func start(
    _ configuration: FakeBlueZConfiguration = FakeBlueZConfiguration()
  ) async throws -> BusClient {
    let bus = try await PrivateBus.start()
    let fake = try await FakeBlueZ.start(on: .address(bus.address), configuration: configuration)
    return BusClient(bus: bus, fake: fake, connection: try await DBusConnection.open(.address(bus.address)))
  }

  func stop() async {
    connection.close()
    await fake.stop()
    bus.close()
  }

  /// Runs a test with a client and ends everything after it.
  static func with(
    _ configuration: FakeBlueZConfiguration = FakeBlueZConfiguration(),
    _ body: (BusClient) async throws -> Void
  ) async throws {
    let client = try await start(configuration)
    do {
      try await body(client)
      await client.stop()
    } catch {
      await client.stop()
      throw error
    }
  }

  // MARK: - Calling

  @discardableResult
  func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = []
  ) async throws
    -> [DBusValue]
  {
    try await connection.call(
      DBusMethodCall(
        destination: "org.bluez", path: DBusObjectPath(validating: path),
        interface: interface.contains(".") ? interface : "org.bluez." + interface, member: member,
        arguments: arguments),
      timeout: .seconds(10))
  }

  /// The name and the text of the error that a call ends with; `nil` when it succeeds.
  func failure(
    _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = []
  ) async throws
    -> String?
  {
    do {
      try await call(path, interface, member, arguments)
      return nil
    } catch DBusError.remote(let name, let message) {
      return name + ": " + message
    }
  }

  func get(_ path: String, _ interface: String, _ name: String) async throws -> DBusValue {
    try await call(path, Self.properties, "Get", [.string("org.bluez." + interface), .string(name)])
      .exactly(1)[0].asVariant()
  }

  func set(_ path: String, _ interface: String, _ name: String, _ value: DBusValue) async throws {
    try await call(
      path, Self.properties, "Set", [.string("org.bluez." + interface), .string(name), .variant(value)])
  }

  /// Interfaces by object path.
  func objects() async throws -> [String: Set<String>] {
    let answer = try await call("/", Self.objectManager, "GetManagedObjects").exactly(1)[0].asDictionary()
    var objects: [String: Set<String>] = [:]
    for (path, interfaces) in answer {
      objects[try path.asPath().text] = Set(try interfaces.asDictionary().keys.map { try $0.asString() })
    }
    return objects
  }

  /// The path of the characteristic of a device with a 16-bit UUID.
  func characteristic(_ uuid: String, of device: String) async throws -> String {
    try await characteristic(uuid: "0000" + uuid + "-0000-1000-8000-00805f9b34fb", of: device)
  }

  /// The path of the characteristic of a device with a 128-bit UUID.
  func characteristic(uuid: String, of device: String) async throws -> String {
    for (path, interfaces) in try await objects()
    where path.hasPrefix(device) && interfaces.contains("org.bluez.GattCharacteristic1") {
      if try await get(path, "GattCharacteristic1", "UUID") == .string(uuid) { return path }
    }
    throw DBusError.unexpected("characteristic \(uuid)")
  }

  // MARK: - Ways that many tests go

  /// Discovers a strap that advertises already; its path.
  @discardableResult
  func discover(_ strap: FakeStrap) async throws -> String {
    try await call("/org/bluez/hci0", "Adapter1", "StartDiscovery")
    try await call("/org/bluez/hci0", "Adapter1", "StopDiscovery")
    return path(of: strap)
  }

  /// Advertises, discovers and connects a strap; its path.
  func connect(_ strap: FakeStrap) async throws -> String {
    await fake.advertise(strap)
    let path = try await discover(strap)
    try await call(path, "Device1", "Connect")
    return path
  }

  func path(of strap: FakeStrap) -> String {
    "/org/bluez/hci0/dev_" + String(strap.address.description.map { $0 == ":" ? "_" : $0 })
  }

  /// All signals of the daemon, from now on.
  func signals() async throws -> DBusSignalStream {
    try await connection.signals(DBusMatchRule(sender: "org.bluez"))
  }
}
