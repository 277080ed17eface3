import BlueZ
import DBus
import TachogramCore
import Testing

@testable import Doctor

struct BluetoothWordingTests {
  /// What stands in the way, and a part of what to do about it.
  @Test(
    arguments: [
      (.noBus(.disconnected), "systemctl start dbus"), (.accessDenied(message: "no"), "usermod -aG bluetooth"),
      (.noDaemon, "apt install bluez"), (.daemonHangs, "systemctl restart bluetooth"),
      (.daemonFails(.outOfMemory), "systemctl restart bluetooth"), (.noAdapter, "Plug one in"),
      (.noSuchAdapter(.unknown, present: [.unknown]), "--adapter"), (.adapterOff, "bluetoothctl power on"),
      (.adapterBlocked, "rfkill unblock bluetooth"),
    ] as [(BluetoothAvailability, String)])
  func testProblem_SaysWhatToDo(availability: BluetoothAvailability, remedy: String) throws {
    let problem = try #require(BluetoothWording.problem(availability))
    #expect(problem.hasPrefix("Bluetooth is not available: "))
    #expect(problem.contains(remedy))
    #expect(!problem.contains("\n"))
  }

  @Test func testNoProblem_IsNotWorded() {
    #expect(BluetoothWording.problem(.ready) == nil)
  }
}
