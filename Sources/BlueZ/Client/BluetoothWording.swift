import DBus
import TachogramCore

/// Descriptions of the problems of Bluetooth and their remedies, for people.
package enum BluetoothWording {
  /// Returns a description of the problem and its remedy, or `nil` if Bluetooth is ready.
  package static func problem(_ availability: BluetoothAvailability) -> String? {
    switch availability {
    case .ready: nil
    case .noBus(let error):
      "Bluetooth is not available: the D-Bus bus cannot be reached (\(detail(error))). Start D-Bus "
        + "(`systemctl start dbus`), or name another bus with --bus; see `tachogram doctor`."
    case .accessDenied:
      "Bluetooth is not available: D-Bus does not let this user talk to the Bluetooth daemon. Add the user to the group "
        + "bluetooth (`usermod -aG bluetooth USER`, then log in again)."
    case .noDaemon:
      "Bluetooth is not available: the Bluetooth daemon is not running. Install and start it "
        + "(`apt install bluez`, `systemctl start bluetooth`)."
    case .daemonHangs:
      "Bluetooth is not available: the Bluetooth daemon does not answer. Restart it (`systemctl restart bluetooth`)."
    case .daemonFails(let error):
      "Bluetooth is not available: the Bluetooth daemon answers with an error (\(detail(error))). Restart it "
        + "(`systemctl restart bluetooth`)."
    case .noAdapter:
      "Bluetooth is not available: there is no Bluetooth adapter. Plug one in, or enable the built-in one "
        + "(on a Raspberry Pi, without `dtoverlay=disable-bt`)."
    case .noSuchAdapter(let address, let present):
      "Bluetooth is not available: there is no adapter \(address); there is "
        + present.map(\.description).joined(separator: ", ") + ". Name one that is there with --adapter."
    case .adapterOff: "Bluetooth is not available: the adapter is off. Switch it on (`bluetoothctl power on`)."
    case .adapterBlocked:
      "Bluetooth is not available: the adapter is blocked. Unblock it (`rfkill unblock bluetooth`)."
    }
  }

  /// Returns a description of an error of the bus or of the daemon.
  package static func detail(_ error: DBusError) -> String {
    switch error {
    case .remote(let name, let message): message.isEmpty ? name : "\(message) [\(name)]"
    case .timedOut(let member): "no answer to \(member) in time"
    case .cancelled: "stopped"
    case .disconnected: "the connection to the bus was lost"
    case .cannotConnect(let address, _, let message): "\(address): \(message)"
    case .unexpected(let what), .invalid(let what): what
    case .nameTaken(let name): "\(name) is taken"
    case .outOfMemory: "out of memory"
    }
  }

  /// Returns a description of a step of switching Bluetooth on.
  package static func text(_ step: RadioSwitch.Step) -> String {
    switch step {
    case .unblocked(let name): "unblocked \(name)"
    case .switchedOn(let address): "switched the adapter \(address) on"
    case .refusedToUnblock(let name, let error): "\(name) stays blocked: \(error)"
    case .refusedToSwitchOn(let address, let error): "the adapter \(address) stays off: \(detail(error))"
    }
  }
}
