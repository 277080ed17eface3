import DBus
import FakeBlueZ
import TachogramTestKit
import Testing

/// Adapters, discovery, links: each verb as a client on the bus sees it.
@Suite(.timeLimit(.minutes(5)))
struct FakeBlueZLinkTests {
  private let adapter = "/org/bluez/hci0"

  @Test
  func testStarted_ExportsAdapterAndAgentManager() async throws {
    try await BusClient.with { client in
      let objects = try await client.objects()
      #expect(objects["/org/bluez"]?.contains("org.bluez.AgentManager1") == true)
      #expect(objects[adapter]?.contains("org.bluez.Adapter1") == true)
      #expect(try await client.get(adapter, "Adapter1", "Address") == .string("00:1A:7D:DA:71:13"))
      #expect(try await client.get(adapter, "Adapter1", "Powered") == .bool(true))
    }
  }

  @Test
  func testDiscovery_AddsStrapOfTheWantedService() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      var other = FakeStrap(number: 2)
      other.advertisedServices = [0x1809]
      await client.fake.advertise(strap)
      await client.fake.advertise(other)
      let filter: DBusValue = .properties(["UUIDs": .strings(["180d"]), "Transport": .string("le")])
      try await client.call(adapter, "Adapter1", "SetDiscoveryFilter", [filter])
      try await client.call(adapter, "Adapter1", "StartDiscovery")
      #expect(try await client.objects()[client.path(of: strap)]?.contains("org.bluez.Device1") == true)
      #expect(try await client.objects()[client.path(of: other)] == nil)
      #expect(try await client.get(client.path(of: strap), "Device1", "RSSI") == .int16(-60))
      #expect(try await client.get(adapter, "Adapter1", "Discovering") == .bool(true))
    }
  }

  @Test
  func testDiscoveryEnded_TakesSignalStrengthAway() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      await client.fake.advertise(strap)
      let path = try await client.discover(strap)
      #expect(
        try await client.failure(
          path, BusClient.properties, "Get",
          [
            .string("org.bluez.Device1"), .string("RSSI"),
          ]) == "org.freedesktop.DBus.Error.InvalidArgs: No such property")
      #expect(try await client.get(adapter, "Adapter1", "Discovering") == .bool(false))
    }
  }

  @Test
  func testDiscovery_IsCountedByClient() async throws {
    try await BusClient.with { client in
      let second = try await DBusConnection.open(.address(client.bus.address))
      try await client.call(adapter, "Adapter1", "StartDiscovery")
      #expect(
        try await client.failure(adapter, "Adapter1", "StartDiscovery")
          == "org.bluez.Error.InProgress: Operation already in progress")
      _ = try await second.call(
        DBusMethodCall(
          destination: "org.bluez", path: DBusObjectPath(validating: adapter), interface: "org.bluez.Adapter1",
          member: "StartDiscovery"))
      try await client.call(adapter, "Adapter1", "StopDiscovery")
      #expect(try await client.get(adapter, "Adapter1", "Discovering") == .bool(true))
      second.close()
      #expect(await client.fake.waitUntil { !$0.isDiscovering })
      #expect(
        try await client.failure(adapter, "Adapter1", "StopDiscovery")
          == "org.bluez.Error.Failed: No discovery started")
    }
  }

  @Test
  func testForgetTemporaryDevices_RemovesOnlyDiscoveredOnes() async throws {
    try await BusClient.with { client in
      let (kept, gone) = (FakeStrap(), FakeStrap(number: 2))
      await client.fake.advertise(gone)
      _ = try await client.connect(kept)
      await client.fake.forgetTemporaryDevices()
      let objects = try await client.objects()
      #expect(objects[client.path(of: kept)] != nil)
      #expect(objects[client.path(of: gone)] == nil)
    }
  }

  @Test
  func testConnect_AddsServicesBeforeTheyAreResolved() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      await client.fake.advertise(strap)
      let path = try await client.discover(strap)
      let signals = try await client.signals()
      try await client.call(path, "Device1", "Connect")
      var order: [String] = []
      for await signal in signals {
        order.append(try FakeSignalText.text(signal))
        if order.last == "\(path) ServicesResolved=true" { break }
      }
      let connected = try #require(order.firstIndex(of: "\(path) Connected=true"))
      let added = order.indices.filter { order[$0].hasPrefix("added \(path)/service") }
      #expect(added.count == 15, "4 services, 8 characteristics, 3 descriptors")
      #expect(added.allSatisfy { $0 > connected })
      #expect(order.contains("added \(path) org.bluez.Battery1"))
      #expect(try await client.get(path, "Battery1", "Percentage") == .byte(90))
    }
  }

  @Test
  func testConnectLater_ServicesFollowWhenReleased() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      await client.fake.advertise(strap)
      await client.fake.holdServices(strap)
      let path = try await client.connect(strap)
      #expect(try await client.get(path, "Device1", "Connected") == .bool(true))
      #expect(try await client.get(path, "Device1", "ServicesResolved") == .bool(false))
      await client.fake.releaseServices(strap)
      #expect(await client.fake.waitUntil { $0.linkedDevice(strap.address)?.isResolved == true })
      #expect(try await client.get(path, "Device1", "ServicesResolved") == .bool(true))
    }
  }

  @Test
  func testConnectToAbsentStrap_AbortsByLocal() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      await client.fake.advertise(strap)
      let path = try await client.discover(strap)
      await client.fake.stopAdvertising(strap)
      #expect(
        try await client.failure(path, "Device1", "Connect")
          == "org.bluez.Error.Failed: le-connection-abort-by-local")
    }
  }

  @Test
  func testConnectToStrapThatComesBack_Succeeds() async throws {
    var configuration = FakeBlueZConfiguration()
    configuration.connectTimeout = .seconds(30)
    try await BusClient.with(configuration) { client in
      let strap = FakeStrap()
      await client.fake.advertise(strap)
      let path = try await client.discover(strap)
      await client.fake.stopAdvertising(strap)
      async let connected = client.failure(path, "Device1", "Connect")
      #expect(await client.fake.waitUntil { $0.devices.values.contains { $0.phase == .connecting } })
      #expect(
        try await client.failure(path, "Device1", "Connect")
          == "org.bluez.Error.Failed: Operation already in progress")
      await client.fake.advertise(strap)
      #expect(try await connected == nil)
    }
  }

  @Test
  func testDisconnectWhileConnecting_CancelsTheAttempt() async throws {
    var configuration = FakeBlueZConfiguration()
    configuration.connectTimeout = .seconds(30)
    try await BusClient.with(configuration) { client in
      let strap = FakeStrap()
      await client.fake.advertise(strap)
      let path = try await client.discover(strap)
      await client.fake.stopAdvertising(strap)
      async let connected = client.failure(path, "Device1", "Connect")
      #expect(await client.fake.waitUntil { $0.devices.values.contains { $0.phase == .connecting } })
      #expect(try await client.failure(path, "Device1", "Disconnect") == nil)
      #expect(try await connected == "org.bluez.Error.Failed: br-connection-canceled")
      #expect(try await client.failure(path, "Device1", "Disconnect") == "org.bluez.Error.NotConnected: Not Connected")
    }
  }

  @Test
  func testDropLink_SignalsUnresolvedThenDisconnected() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      let path = try await client.connect(strap)
      let signals = try await client.signals()
      await client.fake.dropLink(strap)
      var order: [String] = []
      for await signal in signals {
        order.append(try FakeSignalText.text(signal))
        if order.last == "\(path) Connected=false" { break }
      }
      #expect(order.contains("\(path) ServicesResolved=false"))
      #expect(order.contains("removed \(path) org.bluez.Battery1"))
      // The objects of the services stay, as in bluetoothd.
      #expect(try await client.objects().keys.contains { $0.hasPrefix(path + "/service") })
      try await client.call(path, "Device1", "Connect")
      #expect(try await client.get(path, "Device1", "ServicesResolved") == .bool(true))
    }
  }

  @Test
  func testPowerOff_EndsLinkAndRefusesDiscovery() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      let path = try await client.connect(strap)
      try await client.fake.setPowered(false)
      #expect(try await client.get(path, "Device1", "Connected") == .bool(false))
      #expect(
        try await client.failure(adapter, "Adapter1", "StartDiscovery")
          == "org.bluez.Error.NotReady: Resource Not Ready")
      try await client.set(adapter, "Adapter1", "Powered", .bool(true))
      #expect(try await client.failure(path, "Device1", "Connect") == nil)
    }
  }

  @Test
  func testBlocked_RefusesPower() async throws {
    try await BusClient.with { client in
      try await client.fake.block()
      #expect(try await client.get(adapter, "Adapter1", "Powered") == .bool(false))
      let arguments: [DBusValue] = [.string("org.bluez.Adapter1"), .string("Powered"), .variant(.bool(true))]
      #expect(
        try await client.failure(adapter, BusClient.properties, "Set", arguments)
          == "org.bluez.Error.Blocked: Blocked through rfkill")
      try await client.fake.block(false)
      #expect(try await client.get(adapter, "Adapter1", "Powered") == .bool(true))
    }
  }

  @Test
  func testRemoveAdapter_TakesEverythingAlong() async throws {
    try await BusClient.with { client in
      _ = try await client.connect(FakeStrap())
      await client.fake.removeAdapter()
      #expect(try await Set(client.objects().keys) == ["/org/bluez"])
      await client.fake.addAdapter()
      #expect(try await client.objects()[adapter] != nil)
    }
  }

  @Test
  func testRemoveDevice_RemovesItsObjects() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      let path = try await client.connect(strap)
      try await client.call(adapter, "Adapter1", "RemoveDevice", [.objectPath(DBusObjectPath(validating: path))])
      #expect(try await !client.objects().keys.contains { $0.hasPrefix(path) })
      #expect(
        try await client.failure(
          adapter, "Adapter1", "RemoveDevice", [.objectPath(DBusObjectPath(validating: path))])
          == "org.bluez.Error.DoesNotExist: Does Not Exist")
      #expect(
        try await client.failure(path, "Device1", "Connect")
          == "org.freedesktop.DBus.Error.UnknownObject: No such object path")
    }
  }

  @Test
  func testRestart_ChangesOwnerAndEndsEverything() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      let path = try await client.connect(strap)
      var owners = try await client.connection.nameOwnerChanges(of: "org.bluez").makeAsyncIterator()
      let first = try #require(await owners.next())
      try await client.fake.restartDaemon()
      #expect(await owners.next() == .some(nil))
      let second = try #require(await owners.next())
      #expect(first != second)
      // It was connected once, so the daemon remembers it.
      #expect(try await client.get(path, "Device1", "Connected") == .bool(false))
      #expect(try await !client.objects().keys.contains { $0.hasPrefix(path + "/") })
      #expect(try await client.failure(path, "Device1", "Connect") == nil)
    }
  }

  @Test
  func testEndDaemon_TakesEverythingFromTheBusBeforeItsName() async throws {
    try await BusClient.with { client in
      let (strap, other) = (FakeStrap(number: 1), FakeStrap(number: 2))
      await client.fake.advertise(other)
      let path = try await client.connect(strap)
      let signals = try await client.signals()
      await client.fake.endDaemon()
      await client.fake.endDaemon()
      try await client.fake.startDaemon()
      var order: [String] = []
      for await signal in signals {
        order.append(try FakeSignalText.text(signal))
        if order.last == "removed \(adapter) org.bluez.Adapter1" { break }
      }
      let ends = [
        "removed \(client.path(of: other)) org.bluez.Device1", "\(path) Connected=false", "\(adapter) Powered=false",
        "removed \(path) org.bluez.Device1", "removed \(adapter) org.bluez.Adapter1",
      ]
      #expect(order.filter(ends.contains) == ends)
      #expect(try await client.get(adapter, "Adapter1", "Powered") == .bool(true))
      #expect(try await client.failure(path, "Device1", "Connect") == nil)
    }
  }

  @Test
  func testRefuseAndStall_MeetTheNextCalls() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      await client.fake.advertise(strap)
      let path = try await client.discover(strap)
      await client.fake.refuse("Connect", .connectionAborted, times: 2)
      for _ in 0..<2 {
        #expect(
          try await client.failure(path, "Device1", "Connect")
            == "org.bluez.Error.Failed: le-connection-abort-by-local")
      }
      await client.fake.stall("Connect")
      async let stalled = client.failure(path, "Device1", "Connect")
      #expect(await client.fake.waitUntil { $0.calls["Connect"] == 3 })
      #expect(try await client.failure(path, "Device1", "Connect") == nil)
      await client.fake.killDaemon()
      #expect(try await stalled?.hasPrefix("org.freedesktop.DBus.Error.NoReply") == true)
      #expect(await client.fake.calls(of: "Connect") == 4)
    }
  }

  @Test
  func testPoisonedCache_LacksTheHeartRateService() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      let path = try await client.connect(strap)
      await client.fake.poisonGATTCache(strap)
      await client.fake.dropLink(strap)
      try await client.call(path, "Device1", "Connect")
      #expect(try await client.get(path, "Device1", "ServicesResolved") == .bool(true))
      await #expect(throws: DBusError.self) { try await client.characteristic("2a37", of: path) }
      await client.fake.poisonGATTCache(strap, false)
      await client.fake.dropLink(strap)
      try await client.call(path, "Device1", "Connect")
      _ = try await client.characteristic("2a37", of: path)
    }
  }

  @Test
  func testManufacturerData_IsHeardWhileDiscovering() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      await client.fake.advertise(strap)
      try await client.call(adapter, "Adapter1", "StartDiscovery")
      await client.fake.advertiseManufacturerData(strap, company: 0x006B, [0x72, 0x08, 0x97, 0x3E])
      await client.fake.setSignal(strap, -71)
      #expect(try await client.get(client.path(of: strap), "Device1", "RSSI") == .int16(-71))
      #expect(
        try await client.get(client.path(of: strap), "Device1", "ManufacturerData").asDictionary()[.uint16(0x006B)]
          == .variant(.bytes([0x72, 0x08, 0x97, 0x3E])))
    }
  }
}
