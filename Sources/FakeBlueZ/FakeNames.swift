import DBus
import TachogramCore

/// Names and paths of BlueZ on D-Bus.
enum FakeNames {
  static let bluez = "org.bluez"
  static let objectManager = "org.freedesktop.DBus.ObjectManager"
  static let properties = "org.freedesktop.DBus.Properties"
  static let introspectable = "org.freedesktop.DBus.Introspectable"
  static let agentManager = "org.bluez.AgentManager1"
  static let agent = "org.bluez.Agent1"
  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let service = "org.bluez.GattService1"
  static let characteristic = "org.bluez.GattCharacteristic1"
  static let descriptor = "org.bluez.GattDescriptor1"
  static let battery = "org.bluez.Battery1"
  static let monitorManager = "org.bluez.AdvertisementMonitorManager1"
  static let monitor = "org.bluez.AdvertisementMonitor1"

  static let daemon = path("/org/bluez")

  static func adapter(_ index: Int) -> DBusObjectPath {
    path("/org/bluez/hci\(index)")
  }

  static func device(_ address: BluetoothAddress, adapter: Int) -> DBusObjectPath {
    path("/org/bluez/hci\(adapter)/dev_" + String(address.description.map { $0 == ":" ? "_" : $0 }))
  }

  static func service(_ handle: UInt16, of device: DBusObjectPath) -> DBusObjectPath {
    path(device.text + "/service" + digits(handle))
  }

  static func characteristic(_ handle: UInt16, of service: DBusObjectPath) -> DBusObjectPath {
    path(service.text + "/char" + digits(handle))
  }

  static func descriptor(_ handle: UInt16, of characteristic: DBusObjectPath) -> DBusObjectPath {
    path(characteristic.text + "/desc" + digits(handle))
  }

  /// The 128-bit text of a 16-bit UUID.
  static func uuid(_ short: UInt16) -> String {
    "0000" + digits(short) + "-0000-1000-8000-00805f9b34fb"
  }

  /// The 128-bit text of a 32-bit UUID.
  static func uuid(wide: UInt32) -> String {
    digits(UInt16(wide >> 16)) + uuid(UInt16(truncatingIfNeeded: wide)).dropFirst(4)
  }

  private static func digits(_ number: UInt16) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: 4 - text.count) + text
  }

  /// All paths consist of numbers and fixed words, so none is invalid.
  private static func path(_ text: String) -> DBusObjectPath {
    (try? DBusObjectPath(validating: text)) ?? .root
  }
}
