import Pipeline
import Recording
import Repository
import StressKit
import TachogramCore

/// A stored session as read by exports: in pieces, so that its long parts are never completely in memory.
package struct StoredSession {
  static let batchSize = 4096

  package let record: SessionRecord
  package let repository: SessionRepository
  /// What the strap sent beside the heart rate, or `nil` if that is not to be exported.
  let sensors: SensorRepository?
  /// The night and the movement, or `nil` if they are not to be exported.
  let nights: SleepRepository?

  package var description: SessionDescription { record.description }
  package var id: String { description.id }

  /// Creates a session from its stored data. Without `nights`, it is exported without its night and movement.
  package init(record: SessionRecord, repository: SessionRepository, nights: SleepRepository? = nil) {
    self.init(record: record, repository: repository, sensors: nil, nights: nights)
  }

  private init(
    record: SessionRecord, repository: SessionRepository, sensors: SensorRepository?, nights: SleepRepository?
  ) {
    (self.record, self.repository, self.sensors, self.nights) = (record, repository, sensors, nights)
  }

  /// Creates a stored session. If rows derived from its ledger are missing, as during its recording, after a power cut or on a
  /// full disk, they are derived now and read from memory.
  package init(_ record: SessionRecord, in database: TachogramDatabase) throws {
    let repository = SessionRepository(database: database)
    let id = record.description.id
    let (sensors, nights) = (SensorRepository(database: database), SleepRepository(database: database))
    guard let pending = try repository.pendingDerivations().first(where: { $0.session.description.id == id }) else {
      self.init(record: record, repository: repository, sensors: sensors, nights: nights)
      return
    }
    var deriver = try SessionDeriver(pending.session.description, kind: pending.kind, in: database)
    guard let last = try deriver.ingestLedger(in: database) else {
      self.init(record: record, repository: repository, sensors: sensors, nights: nights)
      return
    }
    if pending.session.isComplete { deriver.finish() }
    let copy = try TachogramDatabase.inMemory()
    let whole = SessionRepository(database: copy)
    let deleted = try repository.deletedStress(of: id)
    try whole.store(pending.session.description, isComplete: pending.session.isComplete) { append in
      var batch = SessionBatch()
      batch.links = try repository.links(of: id)
      try append(batch)
      try repository.forEachEntry(of: id, batchSize: Self.batchSize) { entries in
        batch = SessionBatch()
        // Entries stored in the meantime were not derived.
        batch.entries = entries.filter { $0.sequence <= last.sequence }
        try append(batch)
      }
      batch = deriver.drainRows()
      batch.stress.removeAll { deleted.contains($0.id) }
      try append(batch)
    }
    let annotations = AnnotationRepository(database: copy)
    try annotations.change(id, SessionEdit(note: .some(record.note)))
    try annotations.add(repository.markers(of: id), to: id)
    self.init(record: try whole.session(matching: id), repository: whole, sensors: sensors, nights: nights)
  }

  package func forEachEntry(_ body: (LedgerEntry) throws -> Void) throws {
    try repository.forEachEntry(of: id, batchSize: Self.batchSize) { try $0.forEach(body) }
  }

  /// Calls `body` with what the strap sent beside the heart rate, in order; not at all if that is not to be exported.
  func forEachSensorEntry(_ body: (SensorEntry) throws -> Void) throws {
    try sensors?.forEachEntry(of: id, batchSize: Self.batchSize) { try $0.forEach(body) }
  }

  package func forEachBeat(_ body: (Beat) throws -> Void) throws {
    try repository.forEachBeat(of: id, batchSize: Self.batchSize) { try $0.forEach(body) }
  }

  /// Calls `body` with the beats and gaps in chronological order.
  func forEachEvent(_ body: (BeatEvent) throws -> Void) throws {
    try repository.forEachEvent(of: id, batchSize: Self.batchSize, body)
  }

  /// Returns the microseconds since the session began.
  package func offset(_ time: MonotonicTime) -> Int64 {
    time.microseconds(since: description.monotonicStart)
  }

  /// Returns the start of the first interval, by the clock at the start of the session, or the start of the session if there
  /// are no beats.
  func firstInterval() throws -> WallTime {
    guard let beat = try repository.firstBeat(of: id) else { return description.start }
    return description.wall(beat.start)
  }
}
