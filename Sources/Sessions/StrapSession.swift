import Capture
import CommandProcess
import Pipeline
import Presentation
import Recording
import Repository
import Stress
import StressKit
import TachogramCore

/// One strap's session while a capture is replayed: what derives from it, and the way into the database.
final class StrapSession {
  /// Ledger entries a transaction; with a replay at full speed, a transaction takes some milliseconds.
  private static let groupSize = 4096

  let description: SessionDescription
  private var deriver: SessionDeriver
  private var batch = SessionBatch()
  private var entryCount: Int64 = 0
  /// Of what is not stored.
  private var beatCount: Int64 = 0
  /// How many of them are stored.
  private var storedCount: Int64 = 0
  private var isFinished = false
  /// What is stored into; `nil` where nothing is.
  private let repository: SessionRepository?
  /// What is stored; `nil` without a database.
  private let source: SessionRepository?
  private let database: TachogramDatabase?
  /// The session as it was stored before, when it was.
  private let earlier: SessionRecord?
  /// Whether it was recorded live, so that its capture is a copy of what is stored: nothing is stored for it. Its times are
  /// those of the clock that recorded it, which no capture has.
  let isOfALiveOne: Bool
  /// What is stored of the same recording from elsewhere; `nil` where nothing is.
  private let verdict: CopyVerdict?
  /// Which metric stood for HRV in it.
  private let earlierKind: HRVKind
  /// Sees what each entry led to.
  var observe: ((SessionBatch) throws -> Void)?

  /// Begins the session of `strap` with its first entry. `keepsStored`: one that is stored stays that of whom it is.
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
    // A session that was stored under this identifier goes on, whatever else is stored; whole, it may hold what its beginning
    // did not.
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
  }

  /// Takes an entry.
  func ingest(_ entry: LedgerEntry) throws {
    entryCount += 1
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

  /// Stores what is not stored yet.
  func commit() throws {
    guard let repository else { return discard() }
    batch.append(deriver.drainRows())
    if batch.isEmpty { return }
    do {
      try repository.append(batch, to: description.id)
    } catch {
      // Another capture that begins alike, or a full disk: what derives from the stored one was cleared to be derived
      // again, so do that.
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

  /// Ends the session in order, and reports it.
  func finish() throws -> SessionReport {
    try commit()
    deriver.finish()
    batch.append(deriver.drainRows())
    try observe?(batch)
    try commit()
    try repository?.finish(description.id)
    if let verdict, !verdict.replaced.isEmpty { try repository?.merge(verdict.replacedIDs, into: description.id) }
    if let earlier, earlier.entryCount > entryCount {
      // A part of a session that is stored whole: what derives from the whole stays.
      try restoreEarlier()
    }
    isFinished = true
    return deriver.report()
  }

  /// Whether a session of this identifier was stored before.
  var isKnownByIdentifier: Bool { earlier != nil }

  /// What became of the session, when it was ended; `nil` without a database.
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
    // Of one whose beats are still to be derived, none are known.
    if isOfALiveOne, let earlier, earlier.beatCount > 0 {
      recording.lacking = Int(max(0, beatCount - earlier.beatCount))
    }
    return recording
  }

  /// Where the replay ended early: of a session that was stored as far as it came, what derives from it stays.
  func abandon() {
    if let earlier, !isOfALiveOne, !isFinished, earlier.entryCount >= storedCount { try? restoreEarlier() }
  }

  private func restoreEarlier() throws {
    guard let earlier, let database else { return }
    try SessionReprocessor(database: database).restore(earlier, kind: earlierKind)
  }
}
