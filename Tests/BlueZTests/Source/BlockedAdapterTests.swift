import BlueZ
import DBus
import FakeBlueZ
import TachogramCore
import TachogramTestKit
import Testing

/// An adapter that rfkill keeps off is told apart from one that is only off, whether the daemon tells it or the kernel.
@Suite("Blocked adapters", .serialized, .timeLimit(.minutes(5)))
struct BlockedAdapterTests {
  private static func configuration(tellsPowerState: Bool) -> FakeBlueZConfiguration {
    var configuration = FakeBlueZConfiguration()
    configuration.tellsPowerState = tellsPowerState
    return configuration
  }

  @Test(arguments: [
    // What the daemon tells counts; what it does not tell, the kernel does.
    (tellsPowerState: true, kernel: false, isBlocked: true, expected: LinkReason.adapterBlocked),
    (tellsPowerState: true, kernel: true, isBlocked: false, expected: LinkReason.adapterOff),
    (tellsPowerState: false, kernel: true, isBlocked: true, expected: LinkReason.adapterBlocked),
    (tellsPowerState: false, kernel: false, isBlocked: true, expected: LinkReason.adapterOff),
  ])
  func testAdapterThatGoesOff_SaysWhy(
    tellsPowerState: Bool, kernel: Bool, isBlocked: Bool, expected: LinkReason,
  ) async throws {
    let bench = try await SourceBench(
      configuration: Self.configuration(tellsPowerState: tellsPowerState), isBlocked: { $0 == "hci0" && kernel })
    let strap = FakeStrap()
    await bench.fake.advertise(strap)
    await bench.listen()
    await bench.fake.subscribed(strap)
    if isBlocked { try await bench.fake.block() } else { try await bench.fake.setPowered(false) }
    await bench.wait { $0.reasons().last == expected }
    let checked = await BluetoothAvailability.check(
      .address(bench.bus.address), isBlocked: { $0 == "hci0" && kernel }
    ).availability
    #expect(checked == (expected == .adapterBlocked ? .adapterBlocked : .adapterOff))
    _ = await bench.stop()
  }
}
