import DBus
import FakeBlueZ
import GATT
import TachogramCore
import Testing

/// Advertisement monitors: what a client on the bus sees of them.
@Suite(.timeLimit(.minutes(5)))
struct FakeBlueZMonitorTests {
  private static let application = "/test/monitors"
  private static let monitor = "org.bluez.AdvertisementMonitor1"
  private static let manager = "AdvertisementMonitorManager1"
  private static let adapter = "/org/bluez/hci0"
  private static let heartRate: [(UInt8, UInt8, [UInt8])] = [(0, 0x03, [0x0D, 0x18])]

  private static var configuration: FakeBlueZConfiguration {
    var configuration = FakeBlueZConfiguration()
    configuration.monitorTypes = ["or_patterns"]
    return configuration
  }

  /// Exposes a monitor; the calls that come to it, by member and device.
  private func expose(
    _ client: BusClient, _ type: String = "or_patterns", _ patterns: [(UInt8, UInt8, [UInt8])] = heartRate,
  ) throws -> AsyncStream<String> {
    let (calls, continuation) = AsyncStream<String>.makeStream()
    let values = patterns.map { DBusValue.structure([.byte($0.0), .byte($0.1), .bytes($0.2)]) }
    let properties: DBusValue = .properties([
      "Type": .string(type),
      "Patterns": .array(of: .structure([.byte, .byte, .array(.byte)]), values),
    ])
    let interfaces: DBusValue = .dictionary(
      key: .string, value: .dictionary(.string, .variant), [.string(Self.monitor): properties])
    let path = try DBusObjectPath(validating: Self.application + "/0")
    try client.connection.exportTree(DBusObjectPath(validating: Self.application)) { call in
      guard call.member != "GetManagedObjects" else {
        return [
          .dictionary(
            key: .objectPath, value: .dictionary(.string, .dictionary(.string, .variant)),
            [.objectPath(path): interfaces])
        ]
      }
      continuation.yield(([call.member] + call.arguments.map { "\($0)" }).joined(separator: " "))
      return []
    }
    return calls
  }

  private func register(_ client: BusClient, _ method: String = "RegisterMonitor") async throws -> String? {
    try await client.failure(
      Self.adapter, Self.manager, method, [.objectPath(DBusObjectPath(validating: Self.application))])
  }

  @Test func testMonitor_IsActivatedAndTellsEachAdvertisement() async throws {
    try await BusClient.with(Self.configuration) { client in
      var calls = try expose(client).makeAsyncIterator()
      let strap = FakeStrap()
      #expect(try await client.get(Self.adapter, Self.manager, "SupportedMonitorTypes") == .strings(["or_patterns"]))
      #expect(try await register(client) == nil)
      #expect(await calls.next() == "Activate")
      for _ in 0..<3 {
        await client.fake.advertise(strap)
        #expect(await calls.next()?.hasPrefix("DeviceFound") == true)
      }
      // The device is there without a discovery, and stays heard after the monitor.
      #expect(try await client.get(client.path(of: strap), "Device1", "RSSI") == .int16(-60))
      #expect(try await client.get(Self.adapter, "Adapter1", "Discovering") == .bool(false))
      #expect(try await register(client, "UnregisterMonitor") == nil)
      #expect(await calls.next() == "Release")
      #expect(try await client.get(client.path(of: strap), "Device1", "RSSI") == .int16(-60))
    }
  }

  @Test func testOtherStraps_AreNotTold() async throws {
    try await BusClient.with(Self.configuration) { client in
      var calls = try expose(client, "or_patterns", [(0, 0xFF, [0x6B, 0x00])]).makeAsyncIterator()
      #expect(try await register(client) == nil)
      #expect(await calls.next() == "Activate")
      let (quiet, loud) = (FakeStrap(number: 1), FakeStrap(number: 2))
      for strap in [quiet, loud] { await client.fake.advertise(strap) }
      await client.fake.broadcast(loud, heartRate: 60)
      #expect(await calls.next()?.contains("00_02") == true)
      #expect(await client.fake.world.devices.count == 1)
    }
  }

  private static let invalid: [(String, [(UInt8, UInt8, [UInt8])])] = [
    ("and_patterns", heartRate), ("or_patterns", []), ("or_patterns", [(0, 3, [])]), ("or_patterns", [(31, 3, [1])]),
  ]

  /// The registration itself succeeds, and the monitor is released.
  @Test(arguments: invalid)
  func testInvalidMonitor_IsReleased(type: String, patterns: [(UInt8, UInt8, [UInt8])]) async throws {
    try await BusClient.with(Self.configuration) { client in
      var calls = try expose(client, type, patterns).makeAsyncIterator()
      #expect(try await register(client) == nil)
      #expect(await calls.next() == "Release")
    }
  }

  @Test func testRegistration_IsOneAPathAndClient() async throws {
    try await BusClient.with(Self.configuration) { client in
      _ = try expose(client)
      #expect(try await register(client, "UnregisterMonitor") == "org.bluez.Error.DoesNotExist: Does Not Exist")
      #expect(try await register(client) == nil)
      #expect(try await register(client) == "org.bluez.Error.AlreadyExists: Already Exists")
      #expect(await client.fake.world.isMonitored)
      client.connection.close()
      #expect(await client.fake.waitUntil { !$0.isMonitored })
    }
  }

  @Test func testDaemonWithoutMonitors_HasNoSuchInterface() async throws {
    try await BusClient.with { client in
      let failure = try await register(client)
      #expect(failure?.hasPrefix("org.freedesktop.DBus.Error.UnknownMethod") == true)
    }
  }

  // MARK: - Repeats

  /// Without `DuplicateData` the controller keeps to itself what it has told already.
  @Test(arguments: [true, false])
  func testChangedData_IsToldWithDuplicateDataOnly(wantsDuplicates: Bool) async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      await client.fake.advertise(strap)
      await client.fake.broadcast(strap, heartRate: 60)
      try await client.call(
        Self.adapter, "Adapter1", "SetDiscoveryFilter", [.properties(["DuplicateData": .bool(wantsDuplicates)])])
      try await client.call(Self.adapter, "Adapter1", "StartDiscovery")
      await client.fake.broadcast(strap, heartRate: 99)
      let data = try await client.get(client.path(of: strap), "Device1", "ManufacturerData").asDictionary()
      let bytes = try #require(try data[.uint16(PolarBroadcast.company)]?.asVariant().asBytes())
      #expect(PolarBroadcast(data: bytes)?.heartRate == (wantsDuplicates ? 99 : 60))
    }
  }
}
