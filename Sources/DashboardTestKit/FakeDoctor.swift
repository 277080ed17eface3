import Dashboard

extension API.Diagnosis {
  /// A diagnosis of a station without straps.
  package static var fake: API.Diagnosis {
    API.Diagnosis(
      version: "1", runningSeconds: 60, source: "radio", isRecording: true, isStorageFailing: false,
      alerts: ["batteryLow"],
      machine: Machine(
        system: "Debian GNU/Linux 12 (bookworm)", kernel: "6.1", architecture: "aarch64", processors: 4,
        memoryMegabytes: 1024, uptimeSeconds: 120),
      database: Database(
        schema: 8, megabytes: 46, freeMegabytes: 20_000, sessions: 56, pendingDerivations: 0, snapshots: 2,
        snapshotAgeSeconds: 3600, isDamaged: false, isDiskLow: false),
      configured: ["http.host"], straps: [], checks: [Check(id: "adapter.off", severity: "problem")])
  }
}

/// An examination with one finding of each severity, of which one can be solved.
package struct FakeDoctor: DoctorBackend {
  package init() {}

  package func findings() -> API.DoctorReport {
    API.DoctorReport(
      usable: false,
      findings: [
        API.DoctorFinding(
          id: "adapter.off", severity: "problem", what: "The adapter hci0 is off.", remedy: "bluetoothctl power on",
          isFixable: true),
        API.DoctorFinding(
          id: "clock.unsynchronised", severity: "warning", what: "The clock is not synchronised.",
          remedy: "sudo systemctl enable --now systemd-timesyncd", isFixable: false),
        API.DoctorFinding(
          id: "daemon.running", severity: "ok", what: "bluetoothd 5.66 is running.", remedy: nil, isFixable: false),
      ])
  }

  package func fix() -> [String] { ["the adapter hci0 was switched on"] }
}
