import TachogramCore

/// How what is heard becomes sessions.
package struct LiveOptions: Sendable {
  package var person: String?
  package var label: String?
  package var kind = HRVKind.sdnn
  /// Time between two commits, in microseconds.
  package var commitInterval: Int64 = 1_000_000
  /// When to stop by itself, in microseconds after the first notification; `nil` for never.
  package var duration: Int64?
  /// Whether sessions are stored; else the database only gives baselines.
  package var isStored = true
  /// Whether a session that was cut off a short while ago goes on; only where nobody else can be recording it.
  package var resumes = false

  package init(
    person: String? = nil, label: String? = nil, kind: HRVKind = .sdnn, commitInterval: Int64 = 1_000_000,
    duration: Int64? = nil, isStored: Bool = true,
    resumes: Bool = false,
  ) {
    self.person = person
    self.label = label
    self.kind = kind
    self.commitInterval = commitInterval
    self.duration = duration
    self.isStored = isStored
    self.resumes = resumes
  }
}
