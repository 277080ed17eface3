/// The findings of `doctor`, the most severe first.
package struct DoctorReport: Encodable, Hashable, Sendable {
  /// Whether straps can be received.
  package let usable: Bool
  package let findings: [DoctorFinding]

  package init(_ facts: DoctorFacts) {
    let all = BluetoothChecks(facts: facts).findings() + MachineChecks(facts: facts).findings()
    // Not `sort`, which need not keep the order of equals.
    findings = [DoctorFinding.Severity.problem, .warning, .ok].flatMap { severity in
      all.filter { $0.severity == severity }
    }
    usable = !findings.contains { $0.severity == .problem }
  }
}
