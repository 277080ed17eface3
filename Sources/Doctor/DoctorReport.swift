/// The findings of `doctor`, the most severe first.
package struct DoctorReport: Encodable, Hashable, Sendable {
  /// Whether straps can be received.
  package let usable: Bool
  package let findings: [DoctorFinding]

  /// `problem` is what is wrong with the database, which prevents receiving straps no more than a warning does.
  package init(_ facts: DoctorFacts, problem: String? = nil) {
    let stored = problem.map { [DoctorFinding("database.problem", .warning, $0)] } ?? []
    let all = stored + BluetoothChecks(facts: facts).findings() + MachineChecks(facts: facts).findings()
    // Not `sort`, which need not keep the order of equals.
    findings = [DoctorFinding.Severity.problem, .warning, .ok].flatMap { severity in
      all.filter { $0.severity == severity }
    }
    usable = !findings.contains { $0.severity == .problem }
  }
}
