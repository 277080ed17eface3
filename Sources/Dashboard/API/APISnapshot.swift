import TachogramCore

extension API {
  /// A verified copy of the database, or a database that was replaced by one.
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
    /// The databases that were replaced by a snapshot, the newest first.
    package let replaced: [Snapshot]
    /// The result of the last restoration since the start of the machine's station, in words.
    package let lastResult: String?

    package init(snapshots: [Snapshot], replaced: [Snapshot], lastResult: String?) {
      self.snapshots = snapshots
      self.replaced = replaced
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

  /// What a database that was replaced holds and the present one lacks.
  package struct ReplacedPreview: Encodable, Hashable, Sendable {
    package let replaced: Snapshot
    /// Why it cannot be read, or `nil`.
    package let problem: String?
    /// The number of sessions that are not stored, or of which the end is not, with the start of the first and the end of the
    /// last of them.
    package let missing: Int
    package let firstMissing: String?
    package let lastMissing: String?
    /// The number of sessions of which other parts are not stored; they are not copied.
    package let overlapping: Int

    package init(
      replaced: Snapshot, problem: String?, missing: Int = 0, firstMissing: WallTime? = nil,
      lastMissing: WallTime? = nil, overlapping: Int = 0,
    ) {
      self.replaced = replaced
      self.problem = problem
      self.missing = missing
      self.firstMissing = firstMissing.map(Timestamp.text)
      self.lastMissing = lastMissing.map(Timestamp.text)
      self.overlapping = overlapping
    }
  }

  /// The result of copying sessions.
  package struct CopiedSessions: Encodable, Hashable, Sendable {
    /// The number of sessions that were copied.
    package let copied: Int
    /// Why others were not copied, or `nil`.
    package let problem: String?

    package init(copied: Int, problem: String?) {
      self.copied = copied
      self.problem = problem
    }
  }
}
