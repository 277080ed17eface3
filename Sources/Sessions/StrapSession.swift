import Capture
import CommandProcess
import Pipeline
import Presentation
import Recording
import Repository
import Stress
import StressKit
import TachogramCore

/// One strap's session during the replay of a capture: derives its rows and stores them.
final class StrapSession {
  /// The number of ledger entries per transaction. In a replay at full speed, a transaction takes some milliseconds.
  private static let groupSize = 4096

  let description: SessionDescription
  private var deriver: SessionDeriver
  private var batch = SessionBatch()
  private var sensors = SessionSensors()
  /// The number of sensor entries that were stored before.
  private var storedSensors: Int64 = 0
  private var entryCount: Int64 = 0
  /// The number of beats, if the session is not stored.
  private var beatCount: Int64 = 0
  /// The number of entries that are stored.
  private var storedCount: Int64 = 0
  private var isFinished = false
  /// The repository to store into, or `nil` if nothing is stored.
  private let repository: SessionRepository?
  /// The repository of stored sessions, or `nil` without a database.
  private let source: SessionRepository?
  private let database: TachogramDatabase?
  /// The previously stored session, if any.
  private let earlier: SessionRecord?
  /// Whether the session was recorded live, so that its capture is a copy, and nothing is stored. Its times are those of the
  /// clock that recorded it, which captures do not contain.
  let isOfALiveOne: Bool
  /// The verdict on copies of the recording from other sources, or `nil` if nothing is stored of its time.
  private let verdict: CopyVerdict?
  /// The metric used for HRV in the previously stored session.
  private let earlierKind: HRVKind
  /// Called with the rows derived from each entry.
  var observe: ((SessionBatch) throws -> Void)?

  /// Begins the session of `strap` with its first entry. With `keepsStored`, a stored session keeps its person.
  init(
    strap: PlannedStrap, first: LedgerEntry, person: String?, kind: HRVKind, database: TachogramDatabase?,
    keepsStored: Bool, verdict: CopyVerdict? = nil,
  ) throws {
    var description = SessionDescription.replayed(strap, first: first, person: person)
    guard database == nil || RecordingDates.range.contains(description.start) else {
      throw CommandFailure(
        "the notifications of \(strap.identity.label) begin at \(Timestamp.text(description.start)), which is no date of a "
          + "recording (\(RecordingDates.words)); without --database they can be replayed", code: .badInput)
    }
    let stored = database.map(SessionRepository.init(database:))
    earlier = try stored?.storedSession(description.id)
    isOfALiveOne = earlier?.description.origin == .live
    // A session that was stored under this identifier is continued, whatever else is stored. The complete session may contain
    // recordings that its beginning did not.
    let isCopy = if case .stored = verdict?.outcome { earlier == nil } else { false }
    self.verdict = isOfALiveOne ? nil : verdict
    source = stored
    self.database = isOfALiveOne || isCopy ? nil : database
    repository = isOfALiveOne || isCopy ? nil : stored
    if earlier == nil, let verdict { description = verdict.described(description) }
    if keepsStored || isOfALiveOne, let earlier {
      description.person = earlier.description.person
      description.label = earlier.description.label
    }
    self.description = description
    deriver = try SessionDeriver(description, kind: kind, in: database)
    earlierKind = earlier == nil ? kind : try stored?.stress(of: description.id).first?.kind ?? kind
    _ = try repository?.begin(description)
    batch.links = strap.links
    sensors.begin(at: description.monotonicStart)
    if repository != nil, let database {
      storedSensors = try SensorRepository(database: database).nextSequence(of: description.id)
    }
  }

  /// Handles an entry.
  func ingest(_ entry: LedgerEntry) throws {
    entryCount += 1
    if case .linkDown = entry.content { sensors.linkDown() }
    deriver.ingest(entry)
    if let observe {
      var news = deriver.drainRows()
      batch.append(news)
      news.entries = [entry]
      try observe(news)
    }
    guard repository != nil else { return discard() }
    batch.entries.append(entry)
    if batch.entries.count >= Self.groupSize { try commit() }
  }

  /// Handles what the strap sent beside its heart rate.
  func measure(_ measurement: ReplayedMeasurement) throws {
    guard repository != nil else { return }
    let received = SessionSensors.Received(
      content: measurement.content, monotonic: measurement.monotonic, wall: measurement.wall)
    sensors.append(received, link: measurement.link, shift: .zero, to: &batch)
    if let last = batch.sensors.last, last.sequence < storedSensors { batch.sensors.removeLast() }
    if batch.sensors.count >= Self.groupSize { try commit() }
  }

  /// Stores the entries and rows that are not stored yet.
  func commit() throws {
    guard let repository else { return discard() }
    batch.append(deriver.drainRows())
    if batch.isEmpty { return }
    do {
      try repository.append(batch, to: description.id)
    } catch {
      // Caused by another capture with the same beginning, or a full disk: the rows of the stored session were cleared to be
      // derived again, so this is done now.
      try? restoreEarlier()
      throw error
    }
    Interrupt.noteStoring()
    storedCount += Int64(batch.entries.count)
    batch.removeAll()
  }

  private func discard() {
    beatCount += Int64(batch.beats.count + deriver.drainRows { $0.beats.count })
    batch.removeAll()
  }

  /// Ends the session in order, and returns its report.
  func finish() throws -> SessionReport {
    try commit()
    deriver.finish()
    batch.append(deriver.drainRows())
    if repository != nil { sensors.finish(&batch) }
    try observe?(batch)
    try commit()
    try repository?.finish(description.id)
    if let verdict, !verdict.replaced.isEmpty { try repository?.merge(verdict.replacedIDs, into: description.id) }
    if let earlier, earlier.entryCount > entryCount {
      // The capture is a part of a complete stored session, whose rows are kept.
      try restoreEarlier()
    }
    isFinished = true
    return deriver.report()
  }

  /// Whether a session with this identifier was already stored.
  var isKnownByIdentifier: Bool { earlier != nil }

  /// Returns the result of storing the session, once it has ended, or `nil` without a database.
  func stored() throws -> StoredRecording? {
    guard let source else { return nil }
    if earlier == nil, let verdict {
      guard case .stored(let record, _) = verdict.outcome else {
        return StoredRecording(try source.session(matching: description.id), verdict: verdict)
      }
      try source.complete(record, from: description)
      return StoredRecording(try source.session(matching: record.description.id), verdict: verdict)
    }
    let wasWhole = earlier.map { $0.isComplete || $0.description.origin == .live } ?? false
    if let earlier { try source.complete(earlier, from: description) }
    var recording = StoredRecording(try source.session(matching: description.id), wasKnown: wasWhole)
    if let verdict { recording.add(verdict) }
    // The beats of a session with pending rows are unknown.
    if isOfALiveOne, let earlier, earlier.beatCount > 0 {
      recording.lacking = Int(max(0, beatCount - earlier.beatCount))
    }
    return recording
  }

  /// Abandons a replay that ended early. If a longer session was stored, its derived rows are kept.
  func abandon() {
    if let earlier, !isOfALiveOne, !isFinished, earlier.entryCount >= storedCount { try? restoreEarlier() }
  }

  private func restoreEarlier() throws {
    guard let earlier, let database else { return }
    try SessionReprocessor(database: database).restore(earlier, kind: earlierKind)
  }
}
