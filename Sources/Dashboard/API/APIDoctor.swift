extension API {
  /// The result of one check of the machine.
  package struct DoctorFinding: Encodable, Hashable, Sendable {
    /// A stable name for programs, such as `adapter.off`.
    package let id: String
    /// `ok`, `warning` or `problem`.
    package let severity: String
    package let what: String
    package let remedy: String?
    /// Whether the station can solve it.
    package let isFixable: Bool

    package init(id: String, severity: String, what: String, remedy: String?, isFixable: Bool) {
      self.id = id
      self.severity = severity
      self.what = what
      self.remedy = remedy
      self.isFixable = isFixable
    }
  }

  /// The findings about the machine, the most severe first.
  package struct DoctorReport: Encodable, Hashable, Sendable {
    /// Whether straps can be received.
    package let usable: Bool
    package let findings: [DoctorFinding]

    package init(usable: Bool, findings: [DoctorFinding]) {
      self.usable = usable
      self.findings = findings
    }

    /// The report of a station that plays a capture and uses no radio.
    static let unexamined = DoctorReport(
      usable: false,
      findings: [
        DoctorFinding(
          id: "station.replay", severity: "warning",
          what: "The station plays a capture and uses no radio, so the machine is not examined.",
          remedy: "Start the station without --replay to receive straps.", isFixable: false)
      ])
  }

  /// What the station did to solve its findings, in words.
  struct DoctorFix: Encodable, Sendable {
    let steps: [String]
  }
}
