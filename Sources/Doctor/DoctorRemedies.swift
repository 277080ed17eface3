/// The remedies, adapted to the machine: whether it is a container, has systemd, and who runs the program.
struct DoctorRemedies {
  let facts: DoctorFacts

  static let hardBlocked =
    "Use the switch or key for radio on the machine, or allow Bluetooth in its firmware settings; rfkill list shows the state."
  static let softBlocked = "sudo rfkill unblock bluetooth, or sudo tachogram doctor --fix"

  private var hasSystemd: Bool { facts.system.hasSystemd }
  private var isContainer: Bool { facts.system.isContainer }

  var user: String { facts.rights.user ?? "the user \(facts.rights.userID)" }

  var startBus: String {
    if isContainer {
      return "Give the container the bus of its host: --volume /run/dbus:/run/dbus (bluetoothd then runs on the host)."
    }
    return hasSystemd
      ? "sudo systemctl start dbus.socket; when it is not installed: sudo apt install dbus"
      : "Start dbus-daemon --system; when it is not installed: sudo apt install dbus"
  }

  var restartBus: String {
    "See whether it answers: busctl --system list. DBUS_SYSTEM_BUS_ADDRESS, when set, must name the bus that bluetoothd is on."
  }

  var startDaemon: String {
    if isContainer { return "Start it on the host: sudo systemctl enable --now bluetooth" }
    return hasSystemd
      ? "sudo systemctl enable --now bluetooth; when it does not stay up: journalctl -u bluetooth -b"
      : "Start \(facts.bluetooth.program ?? "bluetoothd") as root."
  }

  var restartDaemon: String {
    hasSystemd || isContainer
      ? "sudo systemctl restart bluetooth\(isContainer ? " on the host" : "")." : "End bluetoothd, and start it again."
  }

  /// BlueZ's D-Bus policy allows every user, or the group `bluetooth`; a distribution may be more restrictive.
  var allowUser: String {
    let policy =
      "Or add a policy for the user in /etc/dbus-1/system.d, as packaging/dbus/net.tachogram.conf is for the service's "
      + "user: <allow send_destination=\"org.bluez\"/>."
    let rights = facts.rights
    guard rights.bluetoothGroupExists else { return "There is no group bluetooth here. " + policy }
    if rights.isActiveMember {
      return
        "The user is in the group bluetooth already, so look at the policy in /usr/share/dbus-1/system.d/bluetooth.conf. "
        + policy
    }
    if rights.isMember {
      return "The group bluetooth counts from the next login: log out and in again, or restart the service."
    }
    return "sudo usermod -aG bluetooth \(rights.user ?? "USER"), then log in again. \(policy)"
  }

  var noAdapter: String {
    if isContainer {
      return "The adapter must be visible on the host; the container needs nothing but the bus of the host."
    }
    if facts.system.model?.hasPrefix("Raspberry Pi") == true {
      return
        "Take dtoverlay=disable-bt out of /boot/firmware/config.txt, see that the package pi-bluetooth is installed, and "
        + "restart; dmesg | grep -i bluetooth shows why the controller did not start. A USB adapter works too."
    }
    return
      "Plug in a Bluetooth adapter; when there is one, dmesg | grep -i -e bluetooth -e firmware shows why it did not start."
  }
}
