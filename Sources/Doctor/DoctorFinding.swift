/// The result of one check, with its remedy.
package struct DoctorFinding: Hashable, Sendable, Encodable {
  package enum Severity: String, Hashable, Sendable, Encodable, CaseIterable {
    case ok
    /// It works, with limitations or only for a time.
    case warning
    /// No strap can be received until it is solved.
    case problem
  }

  /// A stable name for programs, such as `adapter.off`.
  package let id: String
  package let severity: Severity
  package let what: String
  package let remedy: String?

  /// The findings that `DoctorExamination.switchOn` solves.
  private static let fixable: Set = ["adapter.off", "adapter.softBlocked", "kernel.softBlocked"]

  /// Whether `doctor --fix` can solve it.
  package var isFixable: Bool { Self.fixable.contains(id) }

  package init(_ id: String, _ severity: Severity, _ what: String, remedy: String? = nil) {
    self.id = id
    self.severity = severity
    self.what = what
    self.remedy = remedy
  }
}
