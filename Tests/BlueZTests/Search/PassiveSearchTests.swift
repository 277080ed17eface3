import DBus
import FakeBlueZ
import TachogramCore
import TachogramTestKit
import Testing

@testable import BlueZ

/// The search of a radio source with a daemon that offers advertisement monitors, or does not, or takes them back.
@Suite("Passive search", .serialized, .timeLimit(.minutes(5)))
struct PassiveSearchTests {
  private static let strap = FakeStrap()

  private static func configuration(
    _ change: (inout FakeBlueZConfiguration) -> Void = { _ in },
  ) -> FakeBlueZConfiguration {
    var configuration = FakeBlueZConfiguration()
    configuration.monitorTypes = ["or_patterns"]
    change(&configuration)
    return configuration
  }

  /// Waits until a monitor is active.
  private func monitored(_ fake: FakeBlueZ) async -> Bool { await fake.waitUntil(\.isMonitored) }

  @Test func testDaemonThatOffersMonitors_IsAskedForNothingElse() async throws {
    // After ten seconds of these, the search would be active as well.
    let bench = try await SourceBench(speed: 1, slowness: 10, isPatient: true, configuration: Self.configuration())
    await bench.listen()
    #expect(await monitored(bench.fake))
    await bench.fake.advertise(Self.strap)
    await bench.fake.subscribed(Self.strap)
    // Nobody is looked for any more.
    #expect(await bench.fake.waitUntil { !$0.isMonitored })
    await bench.fake.dropLink(Self.strap)
    await bench.fake.subscribed(Self.strap)
    let events = await bench.stop()
    #expect(events.links() == (2, 2))
    #expect(await bench.fake.calls(of: "StartDiscovery") == 0)
    #expect(await bench.fake.calls(of: "RegisterMonitor") == 2)
    #expect(await bench.fake.calls(of: "UnregisterMonitor") == 2)
  }

  @Test func testSourceThatStops_LeavesNoMonitor() async throws {
    let bench = try await SourceBench(speed: 1, isPatient: true, configuration: Self.configuration())
    await bench.listen()
    #expect(await monitored(bench.fake))
    await bench.source.stop()
    #expect(await bench.fake.waitUntil { !$0.isMonitored })
    _ = await bench.stop()
  }

  /// Neither what was heard nor that the monitor is gone is for others to say.
  @Test(arguments: ["DeviceFound", "Release"])
  func testOtherProgramOnTheBus_IsNotBelieved(member: String) async throws {
    let bench = try await SourceBench(speed: 1, isPatient: true, configuration: Self.configuration())
    await bench.listen()
    #expect(await monitored(bench.fake))
    let application = try #require(await bench.fake.world.adapters.values.flatMap(\.applications).first)
    let other = try await DBusConnection.open(.address(bench.bus.address))
    let device = try DBusObjectPath(validating: "/org/bluez/hci0/dev_C0_FF_EE_00_00_99")
    let call = DBusMethodCall(
      destination: application.owner, path: try DBusObjectPath(validating: application.path.text + "/straps"),
      interface: "org.bluez.AdvertisementMonitor1", member: member,
      arguments: member == "Release" ? [] : [.objectPath(device)])
    let refusal = await #expect(throws: DBusError.self) { _ = try await other.call(call, timeout: .seconds(30)) }
    #expect("\(refusal as Any)".contains("UnknownMethod"))
    other.close()
    await bench.fake.advertise(Self.strap)
    await bench.fake.subscribed(Self.strap)
    #expect(await bench.fake.calls(of: "RegisterMonitor") == 1)
    _ = await bench.stop()
  }

  /// While one strap is connected, another one may be listened for; what was heard of the first one is forgotten.
  @Test func testTwoStraps_AreFoundByOneMonitor() async throws {
    let other = FakeStrap(number: 2)
    let bench = try await SourceBench(
      speed: 1, isPatient: true, straps: [.init(.address(Self.strap.address)), .init(.address(other.address))],
      configuration: Self.configuration())
    await bench.listen()
    #expect(await monitored(bench.fake))
    await bench.fake.advertise(Self.strap)
    await bench.fake.subscribed(Self.strap)
    #expect(await bench.fake.world.isMonitored)
    await bench.fake.stopAdvertising(Self.strap)
    await bench.fake.dropLink(Self.strap)
    await bench.wait { $0.phases().last == .scanning && $0.links().down == 1 }
    #expect(await bench.fake.calls(of: "Connect") == 1)
    await bench.fake.advertise(other)
    await bench.fake.subscribed(other)
    await bench.fake.advertise(Self.strap)
    await bench.fake.subscribed(Self.strap)
    _ = await bench.stop()
    #expect(await bench.fake.calls(of: "StartDiscovery") == 0)
  }

  // MARK: - Without monitors

  /// What keeps a daemon from monitoring.
  enum Hindrance: CaseIterable, Sendable {
    case absent, otherTypes, refusedCall, unknownMethod, refusedByKernel

    var configuration: FakeBlueZConfiguration {
      PassiveSearchTests.configuration { configuration in
        if self == .absent { configuration.monitorTypes = nil }
        if self == .otherTypes { configuration.monitorTypes = ["and_patterns"] }
        configuration.acceptsMonitors = self != .refusedByKernel
      }
    }
  }

  @Test(arguments: Hindrance.allCases)
  func testDaemonThatDoesNotMonitor_Discovers(hindrance: Hindrance) async throws {
    let bench = try await SourceBench(isPatient: true, configuration: hindrance.configuration)
    if hindrance == .refusedCall { await bench.fake.refuse("RegisterMonitor", .failed("no"), times: 9) }
    if hindrance == .unknownMethod { await bench.fake.refuse("RegisterMonitor", .unknownMethod, times: 9) }
    await bench.listen()
    #expect(await bench.fake.waitUntil(\.isDiscovering))
    await bench.fake.advertise(Self.strap)
    await bench.fake.subscribed(Self.strap)
    await bench.fake.dropLink(Self.strap)
    await bench.fake.subscribed(Self.strap)
    _ = await bench.stop()
    let asked = await bench.fake.calls(of: "RegisterMonitor")
    // Not again and again.
    #expect(asked == (hindrance == .absent || hindrance == .otherTypes ? 0 : 1))
  }

  @Test func testControllerThatFiltersWrongly_IsMadeToLook() async throws {
    let bench = try await SourceBench(
      speed: 10, isPatient: true, configuration: Self.configuration { $0.hasHearingMonitors = false })
    await bench.listen()
    for link in 0..<3 {
      if link < 2 { #expect(await monitored(bench.fake)) }
      await bench.fake.advertise(Self.strap)
      await bench.fake.subscribed(Self.strap)
      await bench.fake.dropLink(Self.strap)
    }
    _ = await bench.stop()
    // By then it is known to be deaf.
    #expect(await bench.fake.calls(of: "RegisterMonitor") == 2)
    #expect(await bench.fake.calls(of: "StartDiscovery") > 2)
  }

  // MARK: - In the middle

  @Test func testReleasedMonitor_IsFollowedByDiscovery() async throws {
    let bench = try await SourceBench(speed: 1, isPatient: true, configuration: Self.configuration())
    await bench.listen()
    #expect(await monitored(bench.fake))
    await bench.fake.releaseMonitors()
    #expect(await bench.fake.waitUntil(\.isDiscovering))
    #expect(await bench.fake.waitUntil { $0.adapters.values.allSatisfy(\.applications.isEmpty) })
    await bench.fake.advertise(Self.strap)
    await bench.fake.subscribed(Self.strap)
    _ = await bench.stop()
    #expect(await bench.fake.calls(of: "RegisterMonitor") == 1)
  }

  @Test func testDaemonThatRestarts_IsMonitoredAgain() async throws {
    let bench = try await SourceBench(speed: 1, isPatient: true, configuration: Self.configuration())
    await bench.listen()
    #expect(await monitored(bench.fake))
    try await bench.fake.restartDaemon()
    #expect(await bench.fake.waitUntil(\.isMonitored))
    await bench.fake.advertise(Self.strap)
    await bench.fake.subscribed(Self.strap)
    // It forgets what was refused, too.
    await bench.fake.refuse("RegisterMonitor", .failed("no"))
    await bench.fake.dropLink(Self.strap)
    await bench.fake.subscribed(Self.strap)
    await bench.fake.stopAdvertising(Self.strap)
    try await bench.fake.restartDaemon()
    #expect(await bench.fake.waitUntil(\.isMonitored))
    _ = await bench.stop()
  }

  @Test func testAdapterThatIsSwitchedOff_IsMonitoredAgain() async throws {
    let bench = try await SourceBench(speed: 1, isPatient: true, configuration: Self.configuration())
    await bench.listen()
    #expect(await monitored(bench.fake))
    try await bench.fake.setPowered(false)
    await bench.wait { $0.phases().contains(.adapterAbsent) }
    try await bench.fake.setPowered(true)
    await bench.fake.advertise(Self.strap)
    await bench.fake.subscribed(Self.strap)
    _ = await bench.stop()
  }
}
