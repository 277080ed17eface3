import TachogramTestKit
import Testing

@testable import BluetoothKernel

struct KernelFactsTests {
  private static let debug = "sys/kernel/debug/bluetooth/hci0"
  private static let adapter: [String: String] = [
    "proc/sys/kernel/osrelease": "6.1.0-18-arm64\n", "sys/class/bluetooth/hci0/type": "",
    "sys/class/bluetooth/hci0:16/type": "",
  ]

  private func facts(_ files: [String: String]) throws -> KernelFacts {
    let temporary = try TemporaryTree(files)
    return KernelFacts(SystemTree(root: temporary.root))
  }

  @Test func testNoBluetooth_IsSaid() throws {
    let facts = try facts([:])
    #expect(!facts.hasBluetooth)
    #expect(facts.adapters == [])
    #expect(facts.configuration == nil)
    #expect(facts.kernelRelease == nil)
  }

  @Test func testAdapter_IsFoundWithoutItsConnections() throws {
    let facts = try facts(Self.adapter)
    #expect(facts.hasBluetooth)
    #expect(facts.adapters == ["hci0"])
    #expect(facts.kernelRelease == "6.1.0-18-arm64")
    #expect(facts.defaults(of: "hci0") == .kernel)
  }

  @Test(
    arguments: [
      ("", .refusing(longest: 40, wanted: 400)),
      ("[LE]\nMinConnectionInterval=6\nMaxConnectionInterval=3200\nConnectionSupervisionTimeout=1000\n", .accepting),
      ("[LE]\nMaxConnectionInterval=400\nConnectionSupervisionTimeout=600\n", .accepting),
      ("[LE]\nMaxConnectionInterval=399\nConnectionSupervisionTimeout=600\n", .refusing(longest: 399, wanted: 400)),
      // The interval alone does not fit the timeout of 420 ms that Linux has.
      ("[LE]\nMaxConnectionInterval=3200\n", .inconsistent),
      ("[LE]\nMinConnectionInterval=400\n", .inconsistent),
      // Out of range, so not set.
      ("[LE]\nMaxConnectionInterval=3201\n", .refusing(longest: 40, wanted: 400)),
      // bluetoothd reads nothing of such a file.
      (
        "nonsense\n[LE]\nMaxConnectionInterval=3200\nConnectionSupervisionTimeout=1000\n",
        .refusing(longest: 40, wanted: 400)
      ),
    ] as [(String, ConnectionDefaultsVerdict)])
  func testConfiguration_DecidesWhatStrapsGet(_ text: String, _ verdict: ConnectionDefaultsVerdict) throws {
    let facts = try facts(Self.adapter.merging(["etc/bluetooth/main.conf": text]) { $1 })
    #expect(facts.verdict(of: "hci0") == verdict)
  }

  @Test func testWhatTheKernelUses_CountsMoreThanTheFile() throws {
    // Given: the file was changed, but bluetoothd has not read it yet
    let facts = try facts(
      Self.adapter.merging([
        "etc/bluetooth/main.conf": "[LE]\nMaxConnectionInterval=3200\nConnectionSupervisionTimeout=1000\n",
        "\(Self.debug)/conn_min_interval": "24\n", "\(Self.debug)/conn_max_interval": "40\n",
        "\(Self.debug)/conn_latency": "0\n", "\(Self.debug)/supervision_timeout": "42\n",
      ]) { $1 })
    // When, Then
    #expect(facts.adapterDefaults == ["hci0": .kernel])
    #expect(facts.verdict(of: "hci0") == .refusing(longest: 40, wanted: 400))
  }

  @Test func testRemedy_IsAccepted() {
    #expect(ConnectionDefaults.generous.parameters != nil)
    #expect(KernelFacts.wish.parameters != nil)
  }
}
