import BluetoothKernel
import Repository
import Testing

@testable import Doctor

/// A machine on which one thing is wrong, and what the doctor is to say of it.
struct DoctorCase: CustomTestStringConvertible, Sendable {
  let id: String
  let severity: DoctorFinding.Severity
  /// A part of the remedy.
  let remedy: String
  let facts: DoctorFacts

  var testDescription: String { "\(id): \(remedy)" }

  init(_ id: String, _ severity: DoctorFinding.Severity, _ remedy: String, _ change: (inout DoctorFacts) -> Void) {
    self.id = id
    self.severity = severity
    self.remedy = remedy
    facts = DoctorSample.facts(change)
  }

  static let bluetooth = [
    DoctorCase("bus.absent", .problem, "systemctl start dbus") {
      $0.bluetooth.busError = .noBus(address: "unix:path=/run/dbus/system_bus_socket")
    },
    DoctorCase("bus.absent", .problem, "dbus-daemon --system") {
      $0.bluetooth.busError = .noBus(address: "")
      $0.system.hasSystemd = false
    },
    DoctorCase("bus.absent", .problem, "--volume /run/dbus:/run/dbus") {
      $0.bluetooth.busError = .noBus(address: "")
      $0.system.isContainer = true
    },
    DoctorCase("bus.denied", .problem, "sudo usermod -aG bluetooth pi") { $0.bluetooth.busError = .denied("no") },
    DoctorCase("bus.denied", .problem, "log out and in") {
      $0.bluetooth.busError = .denied("no")
      $0.rights.isMember = true
    },
    DoctorCase("bus.denied", .problem, "/usr/share/dbus-1/system.d/bluetooth.conf") {
      $0.bluetooth.busError = .denied("no")
      $0.rights.isMember = true
      $0.rights.isActiveMember = true
    },
    DoctorCase("bus.denied", .problem, "packaging/dbus/net.tachogram.conf") {
      $0.bluetooth.busError = .denied("no")
      $0.rights.bluetoothGroupExists = false
    },
    DoctorCase("bus.failed", .problem, "busctl") { $0.bluetooth.busError = .other("odd") },
    DoctorCase("daemon.notInstalled", .problem, "apt install bluez") {
      $0.bluetooth.daemon = .absent
      $0.bluetooth.program = nil
    },
    DoctorCase("daemon.notRunning", .problem, "systemctl enable --now bluetooth") { $0.bluetooth.daemon = .absent },
    DoctorCase("daemon.notRunning", .problem, "on the host") {
      $0.bluetooth.daemon = .absent
      $0.bluetooth.program = nil
      $0.system.isContainer = true
    },
    DoctorCase("daemon.hanging", .problem, "systemctl restart bluetooth") {
      $0.bluetooth.daemon = .hanging(seconds: 5)
    },
    DoctorCase("daemon.failing", .problem, "systemctl restart bluetooth") { $0.bluetooth.daemon = .failing("odd") },
    DoctorCase("daemon.unknown", .problem, "busctl") { $0.bluetooth.daemon = .unknown },
    DoctorCase("daemon.old", .warning, "Upgrade") { $0.bluetooth.version = "5.55" },
    DoctorCase("adapter.absent", .problem, "Plug in") {
      $0.bluetooth.adapters = []
      $0.bluetooth.controllers = []
    },
    DoctorCase("adapter.absent", .problem, "dtoverlay=disable-bt") {
      $0.bluetooth.adapters = []
      $0.bluetooth.controllers = []
      $0.system.model = "Raspberry Pi 4 Model B Rev 1.4"
    },
    DoctorCase("adapter.notTaken", .problem, "systemctl restart bluetooth") { $0.bluetooth.adapters = [] },
    DoctorCase("adapter.softBlocked", .problem, "rfkill unblock bluetooth") {
      $0.bluetooth.adapters = []
      $0.bluetooth.switches = [RFKillSwitch(index: 0, name: "hci0", isSoftBlocked: true, isHardBlocked: false)]
    },
    DoctorCase("adapter.hardBlocked", .problem, "switch or key") {
      $0.bluetooth.adapters = []
      $0.bluetooth.switches = [RFKillSwitch(index: 0, name: "hp-bluetooth", isSoftBlocked: true, isHardBlocked: true)]
    },
    DoctorCase("adapter.notFound", .problem, "B8:27:EB:00:00:01 (hci0)") {
      $0.bluetooth.wantedAdapter = "00:00:00:00:00:01"
    },
    DoctorCase("adapter.off", .problem, "bluetoothctl power on") { $0.bluetooth.adapters[0].isPowered = false },
    DoctorCase("adapter.softBlocked", .problem, "rfkill unblock bluetooth") {
      $0.bluetooth.adapters[0].isPowered = false
      $0.bluetooth.adapters[0].isSoftBlocked = true
    },
    DoctorCase("adapter.hardBlocked", .problem, "switch or key") {
      $0.bluetooth.adapters[0].isSoftBlocked = true
      $0.bluetooth.adapters[0].isHardBlocked = true
    },
    DoctorCase("adapter.noLowEnergy", .problem, "ControllerMode") { $0.bluetooth.adapters[0].hasLowEnergy = false },
    DoctorCase("adapter.busy", .warning, "other scan") { $0.bluetooth.adapters[0].isDiscovering = true },
    DoctorCase("adapter.off", .warning, "bluetoothctl power on") {
      var second = DoctorSample.adapter
      second.isPowered = false
      $0.bluetooth.adapters.append(second)
    },
  ]

  static let machine = [
    DoctorCase("connection.defaults", .warning, "MaxConnectionInterval=3200") { $0.connection = .init() },
    DoctorCase("connection.defaults", .warning, "ConnectionSupervisionTimeout=1000") {
      $0.connection.configured.supervisionTimeout = nil
    },
    DoctorCase("connection.narrow", .warning, "MaxConnectionInterval=3200") {
      $0.connection = ConnectionFacts(
        configured: ConnectionDefaults(minimumInterval: 24, maximumInterval: 40, supervisionTimeout: 42))
    },
    DoctorCase("connection.invalid", .warning, "[LE]") {
      $0.connection = ConnectionFacts(
        configured: ConnectionDefaults(minimumInterval: 6, maximumInterval: 3200, supervisionTimeout: 42))
    },
    DoctorCase("connection.invalid", .warning, "[LE]") {
      $0.connection = ConnectionFacts(
        configured: ConnectionDefaults(minimumInterval: .min, maximumInterval: .max, supervisionTimeout: .max))
    },
    DoctorCase("connection.narrow", .warning, "MaxConnectionInterval=3200") { $0.connection.inUse = .kernel },
    DoctorCase("connection.unreadable", .warning, "Correct") { $0.connection.malformedLine = 3 },
    DoctorCase("clock.unsynchronised", .warning, "timedatectl set-ntp true") { $0.clock.isSynchronised = false },
    DoctorCase("clock.wrong", .warning, "timedatectl") { $0.clock.now = 1 },
    DoctorCase("storage.readOnly", .warning, "--database") { $0.storage.state = .readOnly },
    DoctorCase("storage.denied", .warning, "sudo chown pi /var/lib/tachogram") { $0.storage.state = .denied },
    DoctorCase("storage.notAFolder", .warning, "--database") { $0.storage.state = .notAFolder },
    DoctorCase("storage.unknown", .warning, "--database") { $0.storage.state = .unknown(code: 5) },
    DoctorCase("storage.low", .warning, "Make room") { $0.storage.freeBytes = 1_000_000 },
    DoctorCase("storage.low", .warning, "Delete files") { $0.storage.freeFiles = 3 },
  ]
}
