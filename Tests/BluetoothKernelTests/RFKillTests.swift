import TachogramTestKit
import Testing

@testable import BluetoothKernel

struct RFKillTests {
  private static let radios: [String: String] = [
    "sys/class/rfkill/rfkill10/type": "bluetooth\n", "sys/class/rfkill/rfkill10/name": "hci0\n",
    "sys/class/rfkill/rfkill10/soft": "1\n", "sys/class/rfkill/rfkill10/hard": "0\n",
    "sys/class/rfkill/rfkill2/type": "bluetooth\n", "sys/class/rfkill/rfkill2/name": "hp-bluetooth\n",
    "sys/class/rfkill/rfkill2/soft": "0\n", "sys/class/rfkill/rfkill2/hard": "1\n",
    "sys/class/rfkill/rfkill1/type": "wlan\n", "sys/class/rfkill/rfkill1/name": "phy0\n",
    "sys/class/rfkill/rfkill1/soft": "0\n", "sys/class/rfkill/rfkill1/hard": "0\n",
    // Without the files that count, and with a number that is none.
    "sys/class/rfkill/rfkill3/type": "bluetooth\n",
    "sys/class/rfkill/rfkill4/type": "bluetooth\n", "sys/class/rfkill/rfkill4/soft": "x\n",
    "sys/class/rfkill/rfkill4/hard": "0\n", "sys/class/rfkill/rfkillx/type": "bluetooth\n",
  ]

  @Test func testSwitches_AreThoseOfBluetooth() throws {
    let files = try TemporaryTree(Self.radios)
    #expect(
      RFKill(SystemTree(root: files.root)).switches() == [
        RFKillSwitch(index: 2, name: "hp-bluetooth", isSoftBlocked: false, isHardBlocked: true),
        RFKillSwitch(index: 10, name: "hci0", isSoftBlocked: true, isHardBlocked: false),
      ])
  }

  @Test func testNoRFKill_IsNoSwitches() throws {
    #expect(RFKill(SystemTree(root: try TemporaryTree([:]).root)).switches() == [])
  }

  @Test func testUnblock_WritesOneEvent() throws {
    // Given
    let files = try TemporaryTree(Self.radios.merging(["dev/rfkill": ""]) { $1 })
    let rfkill = RFKill(SystemTree(root: files.root))
    // When
    try rfkill.unblock(#require(rfkill.switches().last))
    // Then: index, Bluetooth, change, soft off, hard off
    #expect(try files.read("dev/rfkill") == [10, 0, 0, 0, 2, 2, 0, 0])
  }

  @Test func testUnblock_WithoutDevice_Fails() throws {
    let files = try TemporaryTree(Self.radios)
    let radio = try #require(RFKill(SystemTree(root: files.root)).switches().first)
    #expect(throws: KernelAccessError.failed(call: "open of /dev/rfkill", errno: 2)) {
      try RFKill(SystemTree(root: files.root)).unblock(radio)
    }
  }
}
