/// One thing that was checked, and what to do about it.
struct DoctorFinding: Hashable, Sendable, Encodable {
  enum Severity: String, Hashable, Sendable, Encodable, CaseIterable {
    case ok
    /// It works, but not well, or not for ever.
    case warning
    /// No strap can be heard until it is gone.
    case problem
  }

  /// A stable name for programs, such as `adapter.off`.
  let id: String
  let severity: Severity
  let what: String
  let remedy: String?

  init(_ id: String, _ severity: Severity, _ what: String, remedy: String? = nil) {
    self.id = id
    self.severity = severity
    self.what = what
    self.remedy = remedy
  }
}
