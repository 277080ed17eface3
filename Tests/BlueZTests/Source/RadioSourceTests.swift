import BlueZ
import DBus
import FakeBlueZ
import GATT
import TachogramCore
import TachogramTestKit
import Testing

@Suite("Radio source on a fake daemon", .serialized, .timeLimit(.minutes(5)))
struct RadioSourceTests {
  private static let strap = FakeStrap()

  /// Numbered values, each three times, since equal values are legitimate.
  private static func values(_ count: Int) -> [[UInt8]] {
    (0..<count).map { number in
      let beat = UInt16(number / 3 % 60_000)
      let intervals = RRIntervals([RRInterval(ticks: beat)])
      return HeartRateMeasurementCodec.encode(HeartRateMeasurement(heartRate: 60 + beat % 100, rrIntervals: intervals))
    }
  }

  // MARK: - Data

  @Test(arguments: NotificationTransport.allCases)
  func testNotifications_ArriveOnceAndInOrder(way: NotificationTransport) async throws {
    let bench = try await SourceBench(
      speed: 1, isPatient: true, straps: [.init(.address(Self.strap.address), way: way)])
    await bench.fake.advertise(Self.strap)
    await bench.listen()
    await bench.fake.subscribed(Self.strap)
    let values = Self.values(5_000)
    await bench.fake.play(Self.strap, values)
    await bench.wait(notifications: values.count)
    let events = await bench.stop()
    let firstDifference = zip(events.notifications(), values).enumerated().first { $0.element.0 != $0.element.1 }?
      .offset
    #expect(events.notifications().count == values.count)
    #expect(firstDifference == nil)
    #expect(events.links() == (1, 1))
  }

  /// The daemon never answers a pairing that is done before it knows the services.
  @Test func testBondOfAStrapWhoseServicesTakeTime_GoesLive() async throws {
    var strap = Self.strap
    strap.requiresBond = true
    var configuration = FakeBlueZConfiguration()
    configuration.resolveDelay = .milliseconds(20)
    let bench = try await SourceBench(
      isPatient: true, straps: [.init(.address(strap.address), wantsBond: true)], configuration: configuration)
    await bench.fake.advertise(strap)
    await bench.listen()
    await bench.fake.subscribed(strap)
    await bench.fake.play(strap, Self.values(3))
    await bench.wait(notifications: 3)
    #expect(await bench.source.isBonded(strap: 0))
    _ = await bench.stop()
  }

  /// The daemon then refuses the socket, and signals each value once for each program.
  @Test func testOtherProgramThatListensToo_DoublesNothing() async throws {
    // Given
    let bench = try await SourceBench(speed: 1, isPatient: true)
    await bench.fake.advertise(Self.strap)
    let other = try await BlueZClient.open(.address(bench.bus.address))
    try await other.call(
      "/org/bluez/hci0", BlueZName.Interface.adapter, BlueZName.Member.startDiscovery, timeout: .seconds(30))
    let found = await Self.find(in: other) { $0.devices().first { $0.address == Self.strap.address }?.path }
    let device = try #require(found)
    try await other.call(device, BlueZName.Interface.device, BlueZName.Member.connect, timeout: .seconds(30))
    let characteristic = await Self.find(in: other) {
      $0.characteristic(BlueZUUID.heartRateMeasurement, of: device)?.path
    }
    let path = try #require(characteristic)
    try await other.call(
      path, BlueZName.Interface.characteristic, BlueZName.Member.startNotify, timeout: .seconds(30))
    // When
    await bench.listen()
    _ = await bench.fake.waitUntil { world in
      world.devices.values.contains { $0.characteristics.values.contains { $0.clients.count == 2 } }
    }
    let values = (0..<30).map { [0, UInt8($0 + 40)] }
    for value in values {
      await bench.fake.play(Self.strap, [value])
      await bench.wait { $0.notifications().last == value }
    }
    // Then
    let events = await bench.stop()
    other.close()
    #expect(events.notifications() == values)
  }

  private static func find<Value: Sendable>(
    in client: BlueZClient, _ body: @Sendable (BlueZObjectTree) -> Value?
  ) async -> Value? {
    for await _ in client.changes() {
      if let found = client.read(body) { return found }
    }
    return nil
  }

  @Test func testEvents_AreInTheOrderOfTheContract() async throws {
    let bench = try await SourceBench(isPatient: true)
    await bench.fake.advertise(Self.strap)
    await bench.listen()
    await bench.fake.subscribed(Self.strap)
    await bench.fake.play(Self.strap, Self.values(3))
    await bench.wait(notifications: 3)
    await bench.fake.dropLink(Self.strap)
    await bench.fake.subscribed(Self.strap)
    await bench.fake.play(Self.strap, Self.values(3))
    await bench.wait(notifications: 6)
    let events = await bench.stop()
    var isUp = false
    for event in events {
      switch event.content {
      case .linkUp(let handle, let source, let boot):
        #expect(!isUp)
        #expect(handle != 0 && source == .discovered && boot == "boot")
        isUp = true
      case .linkDown:
        #expect(isUp)
        isUp = false
      case .notification: #expect(isUp)
      default: break
      }
    }
    #expect(!isUp)
    #expect(events.links() == (2, 2))
    #expect(events.map(\.monotonic) == events.map(\.monotonic).sorted())
    guard case .identified = events.first?.content else {
      Issue.record("the strap is not identified first")
      return
    }
  }

  @Test func testStrap_IsDescribedByWhatCanBeRead() async throws {
    let bench = try await SourceBench(isPatient: true)
    await bench.fake.advertise(Self.strap)
    await bench.listen()
    await bench.fake.subscribed(Self.strap)
    await bench.fake.play(Self.strap, Self.values(1))
    let name = Array(Self.strap.name.utf8)
    await bench.wait { events in
      events.identities().contains { identity in
        let known = identity.characteristics
        return known[GATTUUID.batteryLevel] == [90] && known[GATTUUID.deviceName] == name
          && known[GATTUUID.manufacturerNameString] != nil
      }
    }
    let events = await bench.stop()
    #expect(events.identities().last?.address == Self.strap.address)
  }

  @Test func testEnergyReset_IsWrittenToTheControlPoint() async throws {
    let bench = try await SourceBench(isPatient: true)
    await bench.fake.advertise(Self.strap)
    await bench.listen()
    await bench.fake.subscribed(Self.strap)
    try await bench.source.resetEnergy(strap: 0)
    let writes = await bench.fake.world.writes
    #expect(writes.contains([1]))
    _ = await bench.stop()
  }

  @Test func testStop_LeavesTheStrapDisconnected() async throws {
    let bench = try await SourceBench(isPatient: true)
    await bench.fake.advertise(Self.strap)
    await bench.listen()
    await bench.fake.subscribed(Self.strap)
    await bench.source.stop()
    #expect(await !bench.fake.world.isConnected(Self.strap))
    #expect(await !bench.fake.world.isDiscovering)
    _ = await bench.stop()
  }

  // MARK: - Faults, each once

  enum Fault: String, CaseIterable, Sendable {
    case dropLink, outOfRange, silence, restart, adapterRemoved, powerOff, rfkill, refusedConnect, stalledConnect
    case stalledNotify, poisonedCache, refusedSocket, firstPacketsLost, connectedUnsaid
  }

  @Test(arguments: Fault.allCases)
  func testFault_IsOvercomeWithoutHelp(fault: Fault) async throws {
    let bench = try await SourceBench()
    let fake = bench.fake
    await fake.advertise(Self.strap)
    await bench.listen()
    await fake.subscribed(Self.strap)
    try await notify(bench, until: 5)
    try await bring(fault, to: fake)
    // On another link, since each of these faults ends the first one.
    while await !isBack(bench) { try await notify(bench, until: await bench.notified + 1) }
    let events = await bench.stop()
    #expect(events.notifications().count > 5)
    #expect(events.links().up == events.links().down)
  }

  private func isBack(_ bench: SourceBench) async -> Bool {
    let events = await bench.events
    return events.links().up > 1 && events.phases().last == .live
  }

  /// Lets the strap notify, whoever listens, until `count` notifications came.
  private func notify(_ bench: SourceBench, until count: Int) async throws {
    while await bench.notified < count {
      await bench.fake.subscribed(Self.strap)
      _ = await bench.fake.notify(Self.strap, [0, 60])
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  private func bring(_ fault: Fault, to fake: FakeBlueZ) async throws {
    let strap = Self.strap
    switch fault {
    case .dropLink: await fake.dropLink(strap)
    case .outOfRange:
      await fake.stopAdvertising(strap)
      _ = await fake.waitUntil { !$0.isConnected(strap) && $0.isDiscovering }
      await fake.advertise(strap)
    case .silence:
      await fake.goSilent(strap)
      _ = await fake.waitUntil { !$0.isConnected(strap) }
      await fake.resume(strap)
    case .restart: try await fake.restartDaemon(downFor: .milliseconds(20))
    case .adapterRemoved:
      await fake.removeAdapter()
      _ = await fake.addAdapter()
    case .powerOff:
      try await fake.setPowered(false)
      try await fake.setPowered(true)
    case .rfkill:
      try await fake.block(true)
      try await fake.block(false)
    case .refusedConnect:
      await fake.refuse("Connect", .connectionAborted, times: 3)
      await fake.dropLink(strap)
    case .stalledConnect:
      await fake.stall("Connect")
      await fake.dropLink(strap)
    case .stalledNotify:
      await fake.stall("AcquireNotify")
      await fake.dropLink(strap)
    case .poisonedCache:
      await fake.poisonGATTCache(strap)
      await fake.dropLink(strap)
    case .refusedSocket:
      await fake.refuse("AcquireNotify", .notPermitted("Notify acquired"), times: 30)
      await fake.dropLink(strap)
    case .connectedUnsaid:
      await fake.connectUnsaid(strap)
      await fake.dropLink(strap)
    case .firstPacketsLost:
      await fake.loseFirstPackets(strap, 2)
      await fake.dropLink(strap)
    }
  }
}
