import Dashboard

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
