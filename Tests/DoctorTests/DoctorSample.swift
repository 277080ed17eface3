import BluetoothKernel
import Repository
import TachogramCore

@testable import Doctor

/// Machines for the doctor.
enum DoctorSample {
  /// A machine on which everything is as it should be.
  static var healthy: DoctorFacts {
    var facts = DoctorFacts()
    facts.bluetooth.daemon = .running
    facts.bluetooth.version = "5.66"
    facts.bluetooth.program = "/usr/libexec/bluetooth/bluetoothd"
    facts.bluetooth.controllers = ["hci0"]
    facts.bluetooth.adapters = [adapter]
    facts.connection = ConnectionFacts(configured: .generous)
    facts.clock.isSynchronised = true
    facts.storage.folder = "/var/lib/tachogram"
    facts.storage.freeBytes = 8_000_000_000
    facts.rights.userID = 1000
    facts.rights.user = "pi"
    facts.rights.bluetoothGroupExists = true
    facts.system.name = "Debian GNU/Linux 12 (bookworm)"
    return facts
  }

  static let adapter = BluetoothFacts.Adapter(
    name: "hci0", address: "B8:27:EB:00:00:01", isPowered: true, hasLowEnergy: true)

  static let kernelAdapter = KernelAdapter(
    index: 0, address: BluetoothAddress(text: adapter.address, kind: .public) ?? .unknown, version: 9, manufacturer: 15,
    supported: [.powered, .lowEnergy], current: [.lowEnergy], name: "pi")

  static func facts(_ change: (inout DoctorFacts) -> Void) -> DoctorFacts {
    var facts = healthy
    change(&facts)
    return facts
  }
}
