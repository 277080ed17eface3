import BlueZ
import BluetoothKernel
import DBus
import FakeBlueZ
import TachogramCore
import TachogramTestKit
import Testing

/// What a program has switched off is switched on, and what cannot be is told.
@Suite("Radio switch", .timeLimit(.minutes(5)))
struct RadioSwitchTests {
  private static let radios = [
    "sys/class/rfkill/rfkill2/type": "bluetooth\n", "sys/class/rfkill/rfkill2/name": "hci0\n",
    "sys/class/rfkill/rfkill2/soft": "1\n", "sys/class/rfkill/rfkill2/hard": "0\n",
  ]

  @Test func testAdapterThatIsOff_IsSwitchedOn() async throws {
    let bus = try await PrivateBus.start()
    let fake = try await FakeBlueZ.start(on: .address(bus.address))
    try await fake.setPowered(false)
    let address = FakeBlueZ.adapterAddress
    #expect(await RadioSwitch(bus: .address(bus.address)).on() == [.switchedOn(address)])
    #expect(await BluetoothAvailability.check(.address(bus.address)).availability == .ready)
    // Nothing is left to do.
    #expect(await RadioSwitch(bus: .address(bus.address)).on().isEmpty)
    await fake.stop()
  }

  @Test func testAdapterThatStaysBlocked_IsTold() async throws {
    let bus = try await PrivateBus.start()
    let fake = try await FakeBlueZ.start(on: .address(bus.address))
    try await fake.block()
    let steps = await RadioSwitch(bus: .address(bus.address)).on()
    guard case .refusedToSwitchOn(FakeBlueZ.adapterAddress, .remote) = try #require(steps.first) else {
      Issue.record("\(steps)")
      return
    }
    await fake.stop()
  }

  @Test func testOtherAdapter_IsLeftAsItIs() async throws {
    let bus = try await PrivateBus.start()
    let fake = try await FakeBlueZ.start(on: .address(bus.address))
    try await fake.setPowered(false)
    let other = try #require(BluetoothAddress(text: "00:00:00:00:00:09", kind: .public))
    #expect(await RadioSwitch(bus: .address(bus.address), adapter: other).on().isEmpty)
    await fake.stop()
  }

  /// Without a daemon, too: it is asked afterwards.
  @Test func testBlock_IsTakenOff() async throws {
    let bus = try await PrivateBus.start()
    let files = try TemporaryTree(Self.radios.merging(["dev/rfkill": ""]) { $1 })
    let steps = await RadioSwitch(bus: .address(bus.address), rfkill: RFKill(SystemTree(root: files.root))).on()
    #expect(steps == [.unblocked("hci0")])
    #expect(try files.read("dev/rfkill") == [2, 0, 0, 0, 2, 2, 0, 0])
    let denied = try TemporaryTree(Self.radios)
    #expect(
      await RadioSwitch(bus: .address(bus.address), rfkill: RFKill(SystemTree(root: denied.root))).on()
        == [.refusedToUnblock("hci0", .failed(call: "open of /dev/rfkill", errno: 2))])
  }
}
