/// The findings, the most blocking first.
struct DoctorReport: Encodable, Hashable, Sendable {
  /// Whether straps can be heard.
  let usable: Bool
  let findings: [DoctorFinding]

  init(_ facts: DoctorFacts) {
    let all = BluetoothChecks(facts: facts).findings() + MachineChecks(facts: facts).findings()
    // Not `sort`, which need not keep the order of equals.
    findings = [DoctorFinding.Severity.problem, .warning, .ok].flatMap { severity in
      all.filter { $0.severity == severity }
    }
    usable = !findings.contains { $0.severity == .problem }
  }

  /// How the command ends.
  var status: ExitStatus { usable ? .done : .noBluetooth }
}
