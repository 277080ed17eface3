import CommandProcess
import Pipeline
import Recording
import Repository
import Sessions
import StressKit
import TachogramCore

/// Stores a session from a file: its ledger, and the rows derived from it by the same code as in live sessions.
struct SessionImporter {
  private static let batchSize = 4096

  let database: TachogramDatabase
  /// The metric used for HRV in the stress levels.
  let kind: HRVKind

  /// The input of an import.
  struct Incoming {
    var description: SessionDescription
    var links: [StrapLink]
    var entries: [LedgerEntry]
    /// The original stress levels, or `nil` if they are computed with the person's baseline.
    var stress: [StressMeasurement]?
    var isComplete = true
    /// The note, the markers, the night and the measurements beside the heart rate, which are stored with a new session.
    var note: String?
    var markers: [SessionMarker] = []
    var night: SleepSession?
    var movement: [MovementEpoch] = []
    var sensors: [SensorEntry] = []

    /// Whether a stored session can be the beginning of this one.
    fileprivate func isContinuation(of stored: SessionDescription) -> Bool {
      var same = description
      (same.person, same.label, same.strap.characteristics) = (
        stored.person, stored.label, stored.strap.characteristics
      )
      return same == stored
    }

    /// Returns the input with the person, the label and the characteristics of a stored session, of which it is the rest. If
    /// the stored session was complete, the levels are computed, since those in the file are not the original ones.
    fileprivate func given(to stored: SessionRecord) -> Incoming {
      var incoming = self
      let description = stored.description
      (incoming.description.person, incoming.description.label) = (description.person, description.label)
      // What is stored beside the heart rate stays.
      (incoming.sensors, incoming.movement) = ([], [])
      incoming.description.strap.characteristics.merge(description.strap.characteristics) { _, stored in stored }
      incoming.stress =
        stored.isComplete
        ? nil
        : stress?.map { level in
          var level = level
          level.person = description.person
          return level
        }
      return incoming
    }
  }

  /// Stores a session. A stored session and its person are not changed; if only its beginning is stored, the rest is appended.
  /// A session that was recorded live and ended in order is never extended. A copy of a stored recording in any format is only
  /// stored if it is the better one (`CopyPreference`): then it replaces the stored session, and keeps its person and label.
  func store(_ incoming: Incoming) throws -> StoredRecording {
    try database.storing(isStopped: { Interrupt.isRequested }) { try storeAlone(incoming) }
  }

  private func storeAlone(_ incoming: Incoming) throws -> StoredRecording {
    let repository = SessionRepository(database: database)
    let id = incoming.description.id
    // The lock is acquired before the decisive check, so that a session found to be interrupted is not being recorded.
    let isPart = try repository.storedSession(id)?.isComplete == false
    let lock = isPart ? try? DatabaseLock.withoutRecorders(database: database.path) : nil
    defer { withExtendedLifetime(lock) {} }
    guard let stored = try repository.storedSession(id) else { return try storeNew(incoming, repository) }
    try compare(incoming, stored.description, repository)
    let isLonger = incoming.entries.count > stored.entryCount
    let endsIt = incoming.isComplete && !stored.isComplete && incoming.entries.count == stored.entryCount
    guard isLonger || endsIt, !stored.isComplete || stored.description.origin != .live else {
      try repository.complete(stored, from: incoming.description)
      try addMeasurements(of: incoming, to: stored.description)
      var known = StoredRecording(try repository.session(matching: id), wasKnown: true)
      if isLonger { known.lacking = Self.beats(of: incoming, behind: Int(stored.entryCount)) }
      return known
    }
    guard incoming.isContinuation(of: stored.description) else { throw RepositoryError.otherSession(session: id) }
    guard stored.isComplete || lock != nil else {
      throw CommandFailure(
        "session \(id) is stored in part, and a station or a recording is using \(database.path); stop it first")
    }
    // The complete session may contain recordings that its beginning did not.
    let verdict = try RecordingCopies(database: database).verdict(on: incoming.description, entries: incoming.entries)
    try fill(incoming.given(to: stored), repository, inPlaceOf: verdict.replacedIDs)
    try addMeasurements(of: incoming, to: stored.description)
    var recording = StoredRecording(try repository.session(matching: id), wasKnown: false)
    recording.add(verdict)
    return recording
  }

  /// Returns the number of beats derived from the entries after the first `count`.
  private static func beats(of incoming: Incoming, behind count: Int) -> Int {
    func beats(_ entries: ArraySlice<LedgerEntry>) -> Int {
      RecordingContent(session: incoming.description, entries: entries).beats.count
    }
    return max(0, beats(incoming.entries[...]) - beats(incoming.entries.prefix(count)))
  }

  private func storeNew(_ incoming: Incoming, _ repository: SessionRepository) throws -> StoredRecording {
    let verdict = try RecordingCopies(database: database).verdict(
      on: incoming.description, entries: incoming.entries)
    if case .stored(let record, _) = verdict.outcome {
      try repository.complete(record, from: incoming.description)
      try addMeasurements(of: incoming, to: record.description)
      return StoredRecording(try repository.session(matching: record.description.id), verdict: verdict)
    }
    var incoming = incoming
    incoming.description = verdict.described(incoming.description)
    let person = incoming.description.person
    incoming.stress = incoming.stress?.map { level in
      var level = level
      level.person = person
      return level
    }
    try fill(incoming, repository, inPlaceOf: verdict.replacedIDs)
    let (annotations, id) = (AnnotationRepository(database: database), incoming.description.id)
    if let note = incoming.note { try annotations.change(id, SessionEdit(note: .some(note))) }
    try annotations.add(incoming.markers, to: id)
    if let night = incoming.night { try SleepRepository(database: database).store(night) }
    return StoredRecording(try repository.session(matching: incoming.description.id), verdict: verdict)
  }

  /// Derives and stores the whole session, or nothing.
  private func fill(_ incoming: Incoming, _ repository: SessionRepository, inPlaceOf copies: [String]) throws {
    var deriver = try SessionDeriver(incoming.description, kind: kind, in: database)
    try repository.store(incoming.description, isComplete: incoming.isComplete, inPlaceOf: copies) { store in
      var links = SessionBatch()
      links.links = incoming.links
      (links.sensors, links.movement) = (incoming.sensors, incoming.movement)
      try store(links)
      var rest = incoming.entries[...]
      repeat {
        if Interrupt.isRequested { throw CommandFailure("stopped by the user", code: .interrupted) }
        let group = rest.prefix(Self.batchSize)
        rest = rest.dropFirst(Self.batchSize)
        deriver.ingest(group)
        if rest.isEmpty { deriver.finish() }
        var batch = deriver.drainRows()
        batch.entries = Array(group)
        if let stress = incoming.stress { batch.stress = rest.isEmpty ? stress : [] }
        try store(batch)
      } while !rest.isEmpty
    }
  }

  /// Stores the night, the movement and the sensor entries of a session with a stored session of the same recording that has none
  /// of the kind, on its axis.
  private func addMeasurements(of incoming: Incoming, to stored: SessionDescription) throws {
    func origin(_ session: SessionDescription) -> Int64 {
      session.start.microseconds - session.monotonicStart.microseconds
    }
    let shift = Duration.microseconds(origin(incoming.description) - origin(stored))
    let (nights, sensors) = (SleepRepository(database: database), SensorRepository(database: database))
    if let night = incoming.night, try nights.night(of: stored.id) == nil {
      try nights.store(night.moved(to: stored.id) { $0.advanced(by: shift) })
    }
    if try nights.movement(of: stored.id).isEmpty {
      try nights.store(
        incoming.movement.map { epoch in
          var epoch = epoch
          epoch.time = epoch.time.advanced(by: shift)
          return epoch
        }, of: stored.id)
    }
    if try sensors.nextSequence(of: stored.id) == 0 {
      try sensors.append(
        incoming.sensors.map { entry in
          var entry = entry
          entry.monotonic = entry.monotonic.advanced(by: shift)
          return entry
        }, to: stored.id)
    }
  }

  /// Throws an error if the two ledgers differ in their common range. Captures do not contain the clock of a live recording.
  private func compare(_ incoming: Incoming, _ stored: SessionDescription, _ repository: SessionRepository) throws {
    let id = incoming.description.id
    let isOfCapture = stored.origin == .replay && incoming.description.origin == .live
    var next = 0
    try repository.forEachEntry(of: id, batchSize: Self.batchSize) { entries in
      for entry in entries where next < incoming.entries.count {
        let other = incoming.entries[next]
        guard other == entry || isOfCapture && other.content == entry.content else {
          throw RepositoryError.ledgerConflict(session: id, sequence: entry.sequence)
        }
        next += 1
      }
    }
  }
}
