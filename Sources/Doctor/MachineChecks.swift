import BluetoothKernel
import Repository
import Station

/// Checks what affects the data without preventing reception: connection parameters, clock, disk and permissions. The
/// findings are therefore at most warnings.
struct MachineChecks {
  /// A day of one strap takes about 15 MB in the ledger and what derives from it.
  private static let scarceBytes: UInt64 = 500_000_000
  private static let scarceFiles: UInt64 = 1000
  /// 2026-01-01: the program is not older than that.
  private static let earliest: Int64 = 1_767_225_600

  let facts: DoctorFacts
  private var words: DoctorRemedies { DoctorRemedies(facts: facts) }

  func findings() -> [DoctorFinding] {
    [connectionParameters(), clock(), storage(), capture(), management(), system()].compactMap(\.self)
  }

  // MARK: - Connection parameters

  /// Polar straps request intervals of 312.5 to 500 ms (250 … 400 units of 1.25 ms) and a supervision timeout of 6 s. If the
  /// kernel rejects the request, they disconnect with reason 0x3B after 30 to 150 s (bluepy issue 53, gattlib 144). Setting
  /// all three values solved it in bluez issue 847. The kernel rejects timeouts that are not above twice the interval.
  private func connectionParameters() -> DoctorFinding? {
    guard facts.bluetooth.program != nil else { return nil }
    let remedy =
      "Under [LE] in /etc/bluetooth/main.conf: MinConnectionInterval=6, MaxConnectionInterval=3200, "
      + "ConnectionSupervisionTimeout=1000. \(words.restartDaemon)"
    let settings = facts.connection
    if let line = settings.malformedLine {
      return DoctorFinding(
        "connection.unreadable", .warning,
        "Line \(line) of /etc/bluetooth/main.conf cannot be read, so bluetoothd ignores the whole file.",
        remedy: "Correct or delete the line. \(words.restartDaemon)")
    }
    let used = settings.inUse ?? settings.configured
    guard let minimum = used.minimumInterval, let maximum = used.maximumInterval, let timeout = used.supervisionTimeout
    else {
      return DoctorFinding(
        "connection.defaults", .warning,
        "bluetoothd uses default connection parameters; Polar straps may drop the link after 30 to 150 s.",
        remedy: remedy)
    }
    let place = settings.inUse == nil ? "in /etc/bluetooth/main.conf" : "that the kernel uses"
    guard let parameters = used.completed(with: .kernel).parameters else {
      return DoctorFinding(
        "connection.invalid", .warning,
        "The connection parameters \(place) contradict each other (\(minimum), \(maximum), \(timeout)): "
          + "intervals are 6 to 3200, and the supervision timeout must be above twice the longest interval.",
        remedy: remedy)
    }
    guard KernelFacts.wish.isWithin(parameters) else {
      return DoctorFinding(
        "connection.narrow", .warning,
        "The connection parameters \(place) (\(minimum), \(maximum), \(timeout)) are narrower than what "
          + "Polar straps ask for (up to 400, with 600); they may drop the link after 30 to 150 s.",
        remedy: remedy)
    }
    return DoctorFinding("connection.ready", .ok, "The connection parameters suit Polar straps.")
  }

  // MARK: - Clock

  private func clock() -> DoctorFinding {
    let clock = facts.clock
    let remedy =
      facts.system.hasSystemd
      ? "sudo timedatectl set-ntp true; when that fails: sudo apt install systemd-timesyncd (or chrony)."
      : "Run an NTP client, such as chrony."
    if clock.now < Self.earliest {
      return DoctorFinding(
        "clock.wrong", .warning, "The clock is wrong: it is before 2026. Sessions would carry that date.",
        remedy: remedy)
    }
    let battery =
      clock.hasRealTimeClock ? "" : " There is no battery-backed clock, so it is wrong after every start until then."
    switch clock.isSynchronised {
    case false?:
      return DoctorFinding(
        "clock.unsynchronised", .warning,
        "The clock is not synchronised; sessions may carry wrong dates (durations are not affected).\(battery)",
        remedy: remedy)
    case true?:
      return DoctorFinding("clock.synchronised", .ok, "The clock is synchronised.")
    case nil:
      return DoctorFinding("clock.unknown", .ok, "The kernel does not say whether the clock is synchronised.")
    }
  }

  // MARK: - Storage

  private func storage() -> DoctorFinding {
    let storage = facts.storage
    let elsewhere = "Name another place with --database FILE or TACHOGRAM_DATABASE."
    let nothing = "so nothing can be stored"
    switch storage.state {
    case .readOnly:
      return DoctorFinding(
        "storage.readOnly", .warning, "The file system of \(storage.folder) is read-only, \(nothing).",
        remedy: "It may have been mounted so after an error: dmesg | grep -i -e ext4 -e mmc. \(elsewhere)")
    case .denied:
      return DoctorFinding(
        "storage.denied", .warning, "\(words.user) may not write to \(storage.folder), \(nothing).",
        remedy: "sudo chown \(facts.rights.user ?? "USER") \(storage.folder). \(elsewhere)")
    case .notAFolder:
      return DoctorFinding(
        "storage.notAFolder", .warning, "\(storage.folder) is not a folder, \(nothing).", remedy: elsewhere)
    case .unknown(let code):
      return DoctorFinding(
        "storage.unknown", .warning, "\(storage.folder) cannot be looked at (error \(code)).", remedy: elsewhere)
    case .writable, .creatable: break
    }
    if let free = storage.freeBytes, free < Self.scarceBytes {
      return DoctorFinding(
        "storage.low", .warning, "Only \(free / 1_000_000) MB are free for \(storage.folder).",
        remedy: "Make room: tachogram delete, or sudo journalctl --vacuum-size=100M. \(elsewhere)")
    }
    if let free = storage.freeFiles, free < Self.scarceFiles {
      return DoctorFinding(
        "storage.low", .warning, "The file system of \(storage.folder) has room for only \(free) more files.",
        remedy: "Delete files there. \(elsewhere)")
    }
    let free = storage.freeBytes.map { ", \($0 / 1_000_000) MB free" } ?? ""
    let made = storage.state == .creatable ? "will be made when it is needed" : "is writable"
    return DoctorFinding(
      "storage.ready", .ok,
      "The folder \(storage.folder) \(made)\(free). A power cut loses the last second with `record`, and "
        + "the time of storage.commit, \(TimeSpan(seconds: StationConfiguration.Storage.usualSeconds).text) by default, with the "
        + "station.")
  }

  // MARK: - For information

  private func capture() -> DoctorFinding {
    DoctorFinding(
      "rights.capture", .ok,
      facts.rights.canCapture
        ? "The controller's packets can be captured (CAP_NET_RAW)."
        : "The controller's packets cannot be captured (no CAP_NET_RAW); only tachogram capture and btmon need that.")
  }

  private func management() -> DoctorFinding {
    DoctorFinding(
      "rights.management", .ok,
      facts.rights.canManage
        ? "The kernel reports why links end, and accepts connection parameters of straps (CAP_NET_ADMIN)."
        : "The kernel does not report why links end, and connection parameters of straps cannot be set (no CAP_NET_ADMIN); everything else "
          + "works without.")
  }

  private func system() -> DoctorFinding? {
    let parts = [facts.system.name, facts.system.kernel.map { "Linux \($0)" }, facts.system.model].compactMap(\.self)
    guard !parts.isEmpty else { return nil }
    return DoctorFinding(
      "system", .ok, parts.joined(separator: ", ") + (facts.system.isContainer ? ", in a container." : "."))
  }
}
