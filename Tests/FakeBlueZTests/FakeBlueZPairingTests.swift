import DBus
import FakeBlueZ
import Testing

/// Agents and bonding.
@Suite(.timeLimit(.minutes(5)))
struct FakeBlueZPairingTests {
  private let manager = "AgentManager1"

  /// Registers an agent that answers as told; the calls that it got go into the stream.
  private func register(
    _ client: BusClient, _ capability: String = "KeyboardDisplay",
    answer: @escaping @Sendable (DBusIncomingCall) async throws(DBusError) -> [DBusValue]
  ) async throws {
    let path = try DBusObjectPath(validating: "/agent")
    try client.connection.export(path, answer)
    try await client.call("/org/bluez", manager, "RegisterAgent", [.objectPath(path), .string(capability)])
    try await client.call("/org/bluez", manager, "RequestDefaultAgent", [.objectPath(path)])
  }

  private func discovered(_ client: BusClient, _ pairing: FakeStrap.Pairing) async throws -> (FakeStrap, String) {
    var strap = FakeStrap()
    strap.pairing = pairing
    strap.requiresBond = true
    await client.fake.advertise(strap)
    return (strap, try await client.discover(strap))
  }

  @Test(arguments: [
    (FakeStrap.Pairing.justWorks, nil as String?, nil as String?),
    (.passkeyShownByStrap(123_456), "RequestPasskey", nil),
    (.passkeyShownByStrap(999), "RequestPasskey", "org.bluez.Error.AuthenticationFailed: Authentication Failed"),
    (.passkeyTypedIntoStrap(correctly: true), "DisplayPasskey", nil),
    (
      .passkeyTypedIntoStrap(correctly: false), "DisplayPasskey",
      "org.bluez.Error.AuthenticationFailed: Authentication Failed"
    ),
    (.confirmation(42), "RequestConfirmation", nil),
    (.refused, nil, "org.bluez.Error.AuthenticationRejected: Authentication Rejected"),
  ])
  func testPair_CallsTheAgentAndEndsAsTheStrapSays(
    pairing: FakeStrap.Pairing, question: String?, failure: String?
  ) async throws {
    try await BusClient.with { client in
      let (calls, asked) = AsyncStream<String>.makeStream()
      try await register(client) { call throws(DBusError) in
        asked.yield(call.member)
        return call.member == "RequestPasskey" ? [.uint32(123_456)] : []
      }
      let (_, path) = try await discovered(client, pairing)
      #expect(try await client.failure(path, "Device1", "Pair") == failure)
      asked.finish()
      var members: [String] = []
      for await member in calls { members.append(member) }
      #expect(members == (question.map { [$0] } ?? []))
      #expect(try await client.get(path, "Device1", "Paired") == .bool(failure == nil))
      #expect(try await client.get(path, "Device1", "Connected") == .bool(failure == nil))
    }
  }

  @Test
  func testWithoutBond_SubscribingIsNotPermitted() async throws {
    try await BusClient.with { client in
      let (_, path) = try await discovered(client, .justWorks)
      try await client.call(path, "Device1", "Connect")
      let heartRate = try await client.characteristic("2a37", of: path)
      #expect(
        try await client.failure(heartRate, "GattCharacteristic1", "StartNotify")
          == "org.bluez.Error.NotPermitted: Not paired")
      try await client.call(path, "Device1", "Pair")
      #expect(try await client.failure(path, "Device1", "Pair") == "org.bluez.Error.AlreadyExists: Already Exists")
      #expect(try await client.failure(heartRate, "GattCharacteristic1", "StartNotify") == nil)
    }
  }

  @Test
  func testForgottenBond_EndsLinksUntilPairedAgain() async throws {
    try await BusClient.with { client in
      let (strap, path) = try await discovered(client, .justWorks)
      try await client.call(path, "Device1", "Pair")
      await client.fake.dropLink(strap)
      await client.fake.forgetBond(strap)
      // As with BlueZ 5.66: the link comes up, and ends when it is encrypted.
      #expect(try await client.failure(path, "Device1", "Connect") == nil)
      #expect(await client.fake.waitUntil { $0.linkedDevice(strap.address) == nil })
      try await client.call(
        "/org/bluez/hci0", "Adapter1", "RemoveDevice", [.objectPath(DBusObjectPath(validating: path))])
      try await client.discover(strap)
      #expect(try await client.failure(path, "Device1", "Pair") == nil)
    }
  }

  @Test
  func testCancelPairing_EndsItAndTellsTheAgent() async throws {
    try await BusClient.with { client in
      let (calls, asked) = AsyncStream<String>.makeStream()
      try await register(client) { call throws(DBusError) in
        asked.yield(call.member)
        // The question stays open.
        if call.member == "RequestPasskey" { for await _ in AsyncStream<Never>.makeStream().stream {} }
        return []
      }
      let (_, path) = try await discovered(client, .passkeyShownByStrap(1))
      async let paired = client.failure(path, "Device1", "Pair")
      var members = calls.makeAsyncIterator()
      #expect(await members.next() == "RequestPasskey")
      #expect(try await client.failure(path, "Device1", "Pair") == "org.bluez.Error.InProgress: In Progress")
      try await client.call(path, "Device1", "CancelPairing")
      #expect(try await paired == "org.bluez.Error.AuthenticationCanceled: Authentication Canceled")
      #expect(await members.next() == "Cancel")
      #expect(
        try await client.failure(path, "Device1", "CancelPairing") == "org.bluez.Error.DoesNotExist: Does Not Exist")
    }
  }

  @Test
  func testPairWithoutLink_AnswersWhenServicesAreResolved() async throws {
    try await BusClient.with { client in
      let (strap, path) = try await discovered(client, .justWorks)
      await client.fake.holdServices(strap)
      let signals = try await client.signals()
      async let paired = client.failure(path, "Device1", "Pair")
      #expect(await client.fake.waitUntil { $0.devices.values.contains(where: \.isBonded) })
      await client.fake.releaseServices(strap)
      #expect(try await paired == nil)
      #expect(try await client.get(path, "Device1", "ServicesResolved") == .bool(true))
      var order: [String] = []
      for await signal in signals {
        let text = try FakeSignalText.text(signal)
        if ["Connected", "Bonded", "ServicesResolved", "Paired"].contains(where: { text.contains(" \($0)=") }) {
          order.append(text)
        }
        if text.contains(" Paired=") { break }
      }
      #expect(
        order == ["Connected", "Bonded", "ServicesResolved", "Paired"].map { "\(path) \($0)=true" })
    }
  }

  /// As BlueZ 5.66 does, which begins no second look at the services.
  @Test
  func testPairWhileServicesAreLookedAt_NeverAnswers() async throws {
    try await BusClient.with { client in
      let (strap, path) = try await discovered(client, .justWorks)
      await client.fake.holdServices(strap)
      try await client.call(path, "Device1", "Connect")
      async let paired = client.failure(path, "Device1", "Pair")
      #expect(await client.fake.waitUntil { $0.devices.values.contains(where: \.isBonded) })
      await client.fake.releaseServices(strap)
      #expect(await client.fake.waitUntil { $0.linkedDevice(strap.address)?.isResolved == true })
      #expect(try await client.get(path, "Device1", "Paired") == .bool(true))
      await client.fake.killDaemon()
      #expect(try await paired?.hasPrefix("org.freedesktop.DBus.Error.NoReply") == true)
    }
  }

  @Test
  func testPairWithAbsentStrap_FailsAndTheDeviceVanishes() async throws {
    var configuration = FakeBlueZConfiguration()
    configuration.temporaryLifetime = .seconds(30)
    try await BusClient.with(configuration) { client in
      let (strap, path) = try await discovered(client, .justWorks)
      await client.fake.stopAdvertising(strap)
      #expect(
        try await client.failure(path, "Device1", "Pair") == "org.bluez.Error.ConnectionAttemptFailed: Page Timeout")
      await client.fake.pass(.seconds(30))
      #expect(try await client.objects()[path] == nil)
    }
  }

  @Test
  func testSecure_AsksForTheNumberFromThenOn() async throws {
    try await BusClient.with { client in
      let (strap, path) = try await discovered(client, .justWorks)
      await client.fake.secure(strap, passkey: 42)
      try await register(client) { call throws(DBusError) in [.uint32(call.member == "RequestPasskey" ? 42 : 0)] }
      #expect(try await client.failure(path, "Device1", "Pair") == nil)
    }
  }

  @Test
  func testAgents_AreOneAClient() async throws {
    try await BusClient.with { client in
      try await register(client) { _ throws(DBusError) in [] }
      let path: DBusValue = .objectPath(try DBusObjectPath(validating: "/agent"))
      #expect(
        try await client.failure("/org/bluez", manager, "RegisterAgent", [path, .string("")])
          == "org.bluez.Error.AlreadyExists: Already Exists")
      try await client.call("/org/bluez", manager, "UnregisterAgent", [path])
      #expect(
        try await client.failure("/org/bluez", manager, "UnregisterAgent", [path])
          == "org.bluez.Error.DoesNotExist: Does Not Exist")
      #expect(
        try await client.failure("/org/bluez", manager, "RegisterAgent", [path, .string("Nonsense")])
          == "org.bluez.Error.InvalidArguments: Invalid arguments in method call")
    }
  }
}
