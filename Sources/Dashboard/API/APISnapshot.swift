import TachogramCore

extension API {
  /// A verified copy of the database.
  package struct Snapshot: Encodable, Hashable, Sendable {
    /// The name of its file.
    package let id: String
    package let time: String
    package let bytes: Int64

    package init(id: String, time: WallTime, bytes: Int64) {
      self.id = id
      self.time = Timestamp.text(time)
      self.bytes = bytes
    }
  }

  package struct Snapshots: Encodable, Sendable {
    package let snapshots: [Snapshot]
    /// The result of the last restoration since the start of the machine's station, in words.
    package let lastResult: String?

    package init(snapshots: [Snapshot], lastResult: String?) {
      self.snapshots = snapshots
      self.lastResult = lastResult
    }
  }

  /// What restoring a snapshot would change.
  package struct SnapshotPreview: Encodable, Hashable, Sendable {
    package let snapshot: Snapshot
    /// Why it cannot be restored, or `nil` if it is complete and undamaged.
    package let problem: String?
    /// The number of its sessions, or `nil` for a snapshot of an older version.
    package let sessions: Int?
    /// The end of its last session.
    package let last: String?
    /// The number of stored sessions that it lacks, with the start of the first and the end of the last of them.
    package let missing: Int?
    package let firstMissing: String?
    package let lastMissing: String?

    package init(
      snapshot: Snapshot, problem: String?, sessions: Int? = nil, last: WallTime? = nil, missing: Int? = nil,
      firstMissing: WallTime? = nil, lastMissing: WallTime? = nil,
    ) {
      self.snapshot = snapshot
      self.problem = problem
      self.sessions = sessions
      self.last = last.map(Timestamp.text)
      self.missing = missing
      self.firstMissing = firstMissing.map(Timestamp.text)
      self.lastMissing = lastMissing.map(Timestamp.text)
    }
  }
}
