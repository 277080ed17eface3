import BlueZ
import BluetoothKernel
import Presentation

/// Checks the chain between a strap and the program: bus, bluetoothd and adapters. Each part is checked only if the previous
/// one works, so that a cause is reported without its consequences.
struct BluetoothChecks {
  let facts: DoctorFacts
  private var bluetooth: BluetoothFacts { facts.bluetooth }
  private var words: DoctorRemedies { DoctorRemedies(facts: facts) }

  func findings() -> [DoctorFinding] {
    if let bus = bus() { return [bus] + kernelAdapters() }
    if let daemon = daemon() { return [daemon] + kernelAdapters() }
    return [version()].compactMap(\.self) + adapters()
  }

  // MARK: - The bus

  private func bus() -> DoctorFinding? {
    switch bluetooth.busError {
    case .noBus(let address):
      DoctorFinding(
        "bus.absent", .problem, "There is no D-Bus bus at \(address), and bluetoothd is reached through it.",
        remedy: words.startBus)
    case .denied(let message):
      DoctorFinding(
        "bus.denied", .problem, "The bus does not let \(words.user) talk to bluetoothd (\(message)).",
        remedy: words.allowUser)
    case .other(let message):
      DoctorFinding(
        "bus.failed", .problem, "The D-Bus bus cannot be used (\(message)).", remedy: words.restartBus)
    case nil: nil
    }
  }

  // MARK: - bluetoothd

  private func daemon() -> DoctorFinding? {
    switch bluetooth.daemon {
    case .running: nil
    case .absent where bluetooth.program == nil && !facts.system.isContainer:
      DoctorFinding(
        "daemon.notInstalled", .problem, "bluetoothd is not installed.",
        remedy:
          "Install BlueZ 5.66 or newer: sudo apt install bluez (Debian, Raspberry Pi OS), sudo dnf install bluez (Fedora)."
      )
    case .absent:
      DoctorFinding("daemon.notRunning", .problem, "bluetoothd is not running.", remedy: words.startDaemon)
    case .hanging(let seconds):
      DoctorFinding(
        "daemon.hanging", .problem,
        "bluetoothd is running, but did not answer within \(LiveWording.seconds(seconds)) s.",
        remedy: words.restartDaemon)
    case .failing(let message):
      DoctorFinding(
        "daemon.failing", .problem, "bluetoothd is running, but answers with an error (\(message)).",
        remedy: words.restartDaemon)
    case .unknown:
      DoctorFinding(
        "daemon.unknown", .problem, "It is unknown whether bluetoothd runs: it could not be asked.",
        remedy: "Run the check again; if it stays, look at: busctl --system status org.bluez")
    }
  }

  private func version() -> DoctorFinding? {
    guard let text = bluetooth.version else {
      return DoctorFinding("daemon.running", .ok, "bluetoothd is running; its version is not known.")
    }
    guard let version = BlueZVersion(text), version < .oldest else {
      return DoctorFinding("daemon.running", .ok, "bluetoothd \(text) is running.")
    }
    return DoctorFinding(
      "daemon.old", .warning, "bluetoothd \(text) is older than 5.66, the oldest version that is tested.",
      remedy: "Upgrade the system: Debian 12 and Raspberry Pi OS 12 come with 5.66.")
  }

  // MARK: - Adapters

  /// Returns the findings about the kernel's adapters if bluetoothd cannot be asked: whether starting it is sufficient.
  private func kernelAdapters() -> [DoctorFinding] {
    guard let adapters = bluetooth.kernelAdapters else { return [] }
    if adapters.isEmpty {
      return [DoctorFinding("kernel.noAdapter", .warning, "The kernel has no adapter either.", remedy: words.noAdapter)]
    }
    return adapters.map { adapter in
      let name = "The kernel has the adapter \(adapter.deviceName) (\(adapter.address))"
      switch bluetooth.switches.first(where: { $0.name == adapter.deviceName }) {
      case .some(let found) where found.isHardBlocked:
        return DoctorFinding(
          "kernel.hardBlocked", .warning, "\(name), switched off in hardware.", remedy: DoctorRemedies.hardBlocked)
      case .some(let found) where found.isSoftBlocked:
        return DoctorFinding(
          "kernel.softBlocked", .warning, "\(name), blocked by software.", remedy: DoctorRemedies.softBlocked)
      default:
        let state = adapter.current.contains(.powered) ? "which is on" : "which bluetoothd switches on"
        return DoctorFinding("kernel.adapter", .ok, "\(name), \(state).")
      }
    }
  }

  private func adapters() -> [DoctorFinding] {
    guard !bluetooth.adapters.isEmpty else { return [noAdapter()] }
    let candidates = bluetooth.adapters.filter {
      bluetooth.wantedAdapter == nil || $0.address == bluetooth.wantedAdapter
    }
    if let wanted = bluetooth.wantedAdapter, candidates.isEmpty {
      let present = bluetooth.adapters.map { "\($0.address) (\($0.name))" }.joined(separator: ", ")
      return [
        DoctorFinding(
          "adapter.notFound", .problem, "There is no adapter \(wanted).",
          remedy: "Name one that is there with --adapter: \(present).")
      ]
    }
    let isSpared = candidates.contains(where: \.isUsable)
    return candidates.map { adapter($0, isSpared: isSpared) }
  }

  private func noAdapter() -> DoctorFinding {
    if let blocked = bluetooth.switches.first(where: { $0.isHardBlocked }) {
      return DoctorFinding(
        "adapter.hardBlocked", .problem, "Bluetooth is switched off in hardware (rfkill \(blocked.name)).",
        remedy: DoctorRemedies.hardBlocked)
    }
    if let blocked = bluetooth.switches.first(where: { $0.isSoftBlocked }) {
      return DoctorFinding(
        "adapter.softBlocked", .problem, "Bluetooth is blocked by software (rfkill \(blocked.name)).",
        remedy: DoctorRemedies.softBlocked)
    }
    if let controller = bluetooth.controllers.first {
      return DoctorFinding(
        "adapter.notTaken", .problem, "The kernel has the controller \(controller), but bluetoothd does not offer it.",
        remedy: words.restartDaemon + " If it stays: the kernel's reason is in dmesg | grep -i bluetooth.")
    }
    return DoctorFinding("adapter.absent", .problem, "There is no Bluetooth adapter.", remedy: words.noAdapter)
  }

  /// Returns the finding about an adapter. An unusable adapter is only a warning if another one is usable.
  private func adapter(_ adapter: BluetoothFacts.Adapter, isSpared: Bool) -> DoctorFinding {
    let severity: DoctorFinding.Severity = isSpared ? .warning : .problem
    let name = "The adapter \(adapter.name) (\(adapter.address))"
    if adapter.hasLowEnergy == false {
      return DoctorFinding(
        "adapter.noLowEnergy", severity, "\(name) has no Bluetooth Low Energy, which every strap uses.",
        remedy: "Use an adapter of Bluetooth 4.0 or newer. If this one is: set ControllerMode = dual in "
          + "/etc/bluetooth/main.conf. \(words.restartDaemon)")
    }
    if adapter.isHardBlocked {
      return DoctorFinding(
        "adapter.hardBlocked", severity, "\(name) is switched off in hardware.", remedy: DoctorRemedies.hardBlocked)
    }
    if adapter.isSoftBlocked {
      return DoctorFinding(
        "adapter.softBlocked", severity, "\(name) is blocked by software.", remedy: DoctorRemedies.softBlocked)
    }
    if !adapter.isPowered {
      return DoctorFinding(
        "adapter.off", severity, "\(name) is off.",
        remedy:
          "bluetoothctl power on, or tachogram doctor --fix. To have it on after every start: AutoEnable=true "
          + "under [Policy] in /etc/bluetooth/main.conf.")
    }
    if adapter.isDiscovering {
      return DoctorFinding(
        "adapter.busy", .warning, "\(name) is scanning for another program; connecting meanwhile can fail.",
        remedy:
          "A station that waits for a strap scans; that is in order. End any other scan: a desktop's Bluetooth settings, "
          + "bluetoothctl scan on, Home Assistant or the like.")
    }
    return DoctorFinding("adapter.ready", .ok, "\(name) is on.")
  }
}
