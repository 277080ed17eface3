import DBus
import FakeBlueZ
import TachogramTestKit
import Testing

/// What discovery reports of straps that advertise again and again, as a client on the bus sees it.
@Suite(.timeLimit(.minutes(5)))
struct FakeBlueZDiscoveryTests {
  private static let adapter = "/org/bluez/hci0"
  private static let filter: [String: DBusValue] = ["Transport": .string("le")]

  private static func configuration(
    lifetime: Duration? = nil, passesRepeatsOn: Bool = false
  ) -> FakeBlueZConfiguration {
    var configuration = FakeBlueZConfiguration()
    configuration.temporaryLifetime = lifetime
    configuration.passesRepeatsOn = passesRepeatsOn
    return configuration
  }

  private func setFilter(_ client: BusClient, _ filter: [String: DBusValue]) async throws -> String? {
    try await client.failure(Self.adapter, "Adapter1", "SetDiscoveryFilter", [.properties(filter)])
  }

  private func start(_ client: BusClient, _ filter: [String: DBusValue] = [:]) async throws {
    #expect(try await setFilter(client, filter) == nil)
    try await client.call(Self.adapter, "Adapter1", "StartDiscovery")
  }

  private func stop(_ client: BusClient) async throws {
    try await client.call(Self.adapter, "Adapter1", "StopDiscovery")
  }

  private func isKnown(_ client: BusClient, _ strap: FakeStrap) async throws -> Bool {
    try await client.objects()[client.path(of: strap)] != nil
  }

  /// The levels that are reported from now on, in dBm, until discovery ends.
  private func levels(_ signals: DBusSignalStream, _ path: String) async throws -> [Int16] {
    var levels: [Int16] = []
    for await signal in signals where signal.member == "PropertiesChanged" && signal.path.text == path {
      let arguments = try signal.arguments.exactly(3)
      if let level = try arguments[1].asProperties()["RSSI"] { levels.append(try level.asInt16()) }
      if try arguments[2].asStrings().contains("RSSI") { break }
    }
    return levels
  }

  // MARK: - Again and again

  @Test
  func testTimePasses_EveryAdvertisementReportsItsLevel() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      await client.fake.advertise(strap)
      try await start(client, Self.filter)
      let signals = try await client.signals()
      await client.fake.pass(.milliseconds(4600))
      await client.fake.pass(.milliseconds(400))
      try await stop(client)
      #expect(try await levels(signals, client.path(of: strap)) == [-60, -62, -57, -69, -59])
    }
  }

  @Test
  func testWithoutFilter_OnlyChangesBeyondNoiseAreReported() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      await client.fake.advertise(strap)
      try await start(client)
      let signals = try await client.signals()
      for level in [-60, -67, -68, -62, -76, -76] as [Int16] { await client.fake.setSignal(strap, level) }
      try await stop(client)
      #expect(try await levels(signals, client.path(of: strap)) == [-68, -76])
    }
  }

  @Test
  func testEveryLevel_StaysWithinWhatARadioReports() async throws {
    try await BusClient.with { client in
      let (far, near) = (FakeStrap(number: 1), FakeStrap(number: 2))
      for (strap, level) in [(far, -127), (near, 20)] as [(FakeStrap, Int16)] {
        await client.fake.advertise(strap)
        await client.fake.setSignal(strap, level)
      }
      try await start(client, Self.filter)
      let signals = try await client.signals()
      await client.fake.pass(.seconds(9))
      try await stop(client)
      #expect(try await levels(signals, client.path(of: far)).allSatisfy { -127 ... -120 ~= $0 })
    }
  }

  @Test
  func testStrapsThatAreAwayOrLinked_DoNotAdvertise() async throws {
    try await BusClient.with { client in
      let (away, linked) = (FakeStrap(number: 1), FakeStrap(number: 2))
      await client.fake.advertise(away)
      let path = try await client.connect(linked)
      await client.fake.stopAdvertising(away)
      await client.fake.forgetTemporaryDevices()
      try await start(client, Self.filter)
      await client.fake.pass(.seconds(3))
      #expect(try await !isKnown(client, away))
      #expect(
        try await client.failure(
          path, BusClient.properties, "Get", [.string("org.bluez.Device1"), .string("RSSI")]) != nil)
    }
  }

  // MARK: - Filters

  private static let filters: [(filter: [String: DBusValue], isHeard: Bool)] = [
    ([:], true),
    (["UUIDs": .strings(["180d"])], true),
    (["UUIDs": .strings(["0x1809", "0000180D-0000-1000-8000-00805F9B34FB"])], true),
    (["UUIDs": .strings(["1809"])], false),
    (["RSSI": .int16(-60)], true),
    (["RSSI": .int16(-59)], false),
    // The daemon takes a loss, and does not compare it.
    (["Pathloss": .uint16(1)], true),
    (["Transport": .string("le")], true),
    (["Transport": .string("auto")], true),
    (["Transport": .string("bredr")], false),
    (["Pattern": .string("Fake")], true),
    (["Pattern": .string("D0:5A")], true),
    (["Pattern": .string("")], true),
    (["Pattern": .string("HR 1")], false),
  ]

  @Test(arguments: filters)
  func testFilter_LetsThroughWhatItNames(filter: [String: DBusValue], isHeard: Bool) async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      await client.fake.advertise(strap)
      try await start(client, filter)
      #expect(try await isKnown(client, strap) == isHeard)
    }
  }

  private static let invalid: [[String: DBusValue]] = [
    ["Uuids": .strings(["180d"])], ["UUIDs": .strings(["heart rate"])], ["UUIDs": .string("180d")],
    ["UUIDs": .strings(["0000180d-0000-1000-8000-00805f9b34f"])], ["RSSI": .int16(21)], ["RSSI": .int16(-128)],
    ["RSSI": .int32(-60)], ["Pathloss": .uint16(138)], ["RSSI": .int16(-60), "Pathloss": .uint16(50)],
    ["Transport": .string("zigbee")], ["DuplicateData": .string("true")], ["Pattern": .bool(true)],
  ]

  @Test(arguments: invalid)
  func testInvalidFilter_IsRefused(filter: [String: DBusValue]) async throws {
    try await BusClient.with { client in
      let failure = try await setFilter(client, filter)
      #expect(failure == "org.bluez.Error.InvalidArguments: Invalid arguments in method call")
    }
  }

  @Test
  func testSwitchedOff_RefusesFilters() async throws {
    try await BusClient.with { client in
      try await client.fake.setPowered(false)
      #expect(try await setFilter(client, Self.filter) == "org.bluez.Error.NotReady: Resource Not Ready")
    }
  }

  @Test
  func testFilter_OutlivesItsDiscoveryUntilItIsEmptied() async throws {
    try await BusClient.with { client in
      let strap = FakeStrap()
      await client.fake.advertise(strap)
      try await start(client, ["UUIDs": .strings(["1809"])])
      try await stop(client)
      try await client.call(Self.adapter, "Adapter1", "StartDiscovery")
      #expect(try await !isKnown(client, strap))
      #expect(try await setFilter(client, [:]) == nil)
      #expect(try await isKnown(client, strap))
    }
  }

  /// One client without a filter opens the controller's for everybody, as long as it is there.
  @Test
  func testOtherClients_ShareWhatComesThrough() async throws {
    try await BusClient.with { client in
      let (first, second) = (FakeStrap(number: 1), FakeStrap(number: 2))
      await client.fake.advertise(first)
      try await start(client, ["UUIDs": .strings(["1809"])])
      #expect(try await !isKnown(client, first))
      let other = try await DBusConnection.open(.address(client.bus.address))
      _ = try await other.call(
        DBusMethodCall(
          destination: "org.bluez", path: DBusObjectPath(validating: Self.adapter), interface: "org.bluez.Adapter1",
          member: "StartDiscovery"))
      #expect(try await isKnown(client, first))
      other.close()
      #expect(await client.fake.waitUntil { $0.adapters[0]?.discoverers.filters.count == 1 })
      await client.fake.advertise(second)
      #expect(try await !isKnown(client, second))
    }
  }

  @Test
  func testDiscoveryFilters_AreNamed() async throws {
    try await BusClient.with { client in
      let names = try await client.call(Self.adapter, "Adapter1", "GetDiscoveryFilters").exactly(1)[0].asStrings()
      #expect(names == ["UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern"])
    }
  }

  // MARK: - Data

  private func hears(_ client: BusClient, _ strap: FakeStrap, _ name: String) async throws -> Int {
    let signals = try await client.signals()
    for _ in 0..<3 { await client.fake.advertise(strap) }
    try await stop(client)
    var count = 0
    for await signal in signals where signal.member == "PropertiesChanged" {
      let arguments = try signal.arguments.exactly(3)
      if try arguments[1].asProperties()[name] != nil { count += 1 }
      if try arguments[1].asProperties()["Discovering"] != nil { break }
    }
    return count
  }

  @Test(arguments: [(false, 0), (true, 3)])
  func testEqualData_IsReportedAgainWithDuplicateDataOnly(wantsDuplicates: Bool, count: Int) async throws {
    try await BusClient.with(Self.configuration(passesRepeatsOn: true)) { client in
      var strap = FakeStrap()
      strap.manufacturerData = [0x006B: [1, 2]]
      strap.serviceData = [0x180D: [3]]
      await client.fake.advertise(strap)
      try await start(client, ["DuplicateData": .bool(wantsDuplicates)])
      #expect(try await hears(client, strap, "ManufacturerData") == count)
      try await client.call(Self.adapter, "Adapter1", "StartDiscovery")
      #expect(try await hears(client, strap, "ServiceData") == count)
    }
  }

  @Test(arguments: [(false, [3]), (true, [4])] as [(Bool, [UInt8])])
  func testChangedData_IsReportedWhereTheControllerPassesItOn(passesRepeatsOn: Bool, data: [UInt8]) async throws {
    try await BusClient.with(Self.configuration(passesRepeatsOn: passesRepeatsOn)) { client in
      var strap = FakeStrap()
      strap.serviceData = [0x180D: [3]]
      await client.fake.advertise(strap)
      try await start(client, Self.filter)
      strap.serviceData = [0x180D: [4]]
      await client.fake.advertise(strap)
      let value = try await client.get(client.path(of: strap), "Device1", "ServiceData").asProperties()
      #expect(value == ["0000180d-0000-1000-8000-00805f9b34fb": .bytes(data)])
    }
  }

  // MARK: - Devices that vanish

  @Test
  func testDiscoveredDevice_VanishesWhenItWasNotHeardForItsLifetime() async throws {
    try await BusClient.with(Self.configuration(lifetime: .seconds(30))) { client in
      let (gone, kept) = (FakeStrap(number: 1), FakeStrap(number: 2))
      await client.fake.advertise(gone)
      _ = try await client.connect(kept)
      await client.fake.dropLink(kept)
      await client.fake.pass(.milliseconds(29_999))
      #expect(try await isKnown(client, gone))
      await client.fake.pass(.milliseconds(1))
      #expect(try await !isKnown(client, gone))
      // It was connected once.
      #expect(try await isKnown(client, kept))
    }
  }

  @Test
  func testDeviceThatIsHeard_StaysWhileSomebodyDiscovers() async throws {
    try await BusClient.with(Self.configuration(lifetime: .seconds(30))) { client in
      let strap = FakeStrap()
      await client.fake.advertise(strap)
      try await start(client, Self.filter)
      await client.fake.pass(.seconds(90))
      #expect(try await isKnown(client, strap))
      await client.fake.stopAdvertising(strap)
      await client.fake.pass(.seconds(29))
      #expect(try await isKnown(client, strap))
      await client.fake.pass(.seconds(1))
      #expect(try await !isKnown(client, strap))
    }
  }
}
