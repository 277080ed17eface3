import Repository
import StressKit
import Sync
import TachogramCore

extension SpaceState {
  /// How sessions that last are sealed.
  package struct Rhythm: Hashable, Sendable {
    /// The least age of the first entry of a chunk of a session that lasts.
    package var liveAge: Duration = .seconds(300)
    /// The maximum number of entries in a chunk: about an hour.
    package var entries = 4096
    /// The length of the sealed chunks after which they are stored, in bytes.
    package var batch = 1 << 20

    /// The least time after the last own chunk at which a chunk states only what this station has seen.
    package var acknowledgementPause: Duration = .seconds(3_600)

    /// How chunks are padded.
    package var padding = PaddingRule.padme
    /// The number of bytes that are read from the store at once.
    package var readBatch = StoreReader.usualBatch

    package init() {}
  }

  /// Seals what changed since the last call, at most about a MiB. Returns the number of sealed chunks; 0 if nothing is left.
  package mutating func seal(
    at now: WallTime, _ rhythm: Rhythm = Rhythm(), onlyEdits: Bool = false
  ) throws -> Int {
    try membership.checkUpload(by: keys, generation: generation)
    var draft = SealingDraft(self, at: now)
    try sealEdits(into: &draft, at: now)
    if !onlyEdits { try sealLedger(into: &draft, at: now, rhythm) }
    // Levels follow the entries that they belong to.
    if !onlyEdits, draft.size < rhythm.batch { try sealLevels(into: &draft) }
    if !onlyEdits, draft.hasNoChunks, isAcknowledgementDue(at: now, rhythm) { try draft.acknowledge() }
    guard !draft.isEmpty else { return 0 }
    let headers = draft.headers
    receiver.changeLog(of: id) { log in
      for header in headers {
        _ = log.add(header)
        log.setSealed(now, of: header.sequence)
      }
      log.addDeletedBodies(SequenceRanges(numbers: draft.sealing.dropped))
    }
    for (station, sequence) in draft.sealing.carried {
      if let digest = ContentDigest(bytes: station) { carried[StationID(digest: digest)] = sequence }
    }
    let (log, chunks) = rows(of: id, headers.map(\.sequence))
    (draft.sealing.log, draft.sealing.chunks, draft.sealing.clock) = (log, chunks, clockRow)
    try outbox.store(draft.sealing)
    return headers.count
  }

  /// Whether this station, which has nothing else to say, states what it has seen: authors keep sealed chunks until all other
  /// readers have stated that they have them.
  private func isAcknowledgementDue(at now: WallTime, _ rhythm: Rhythm) -> Bool {
    guard membership.members[id]?.role == .reader else { return false }
    let log = receiver.logs[id]
    guard let log, let sealed = log.links[log.last]?.sealed else { return true }
    // A clock that stepped back does not stop it.
    return now.duration(since: sealed).magnitude >= rhythm.acknowledgementPause
  }

  // MARK: - Ledgers

  private mutating func sealLedger(into draft: inout SealingDraft, at now: WallTime, _ rhythm: Rhythm) throws {
    for unsealed in try outbox.unsealed() where draft.size < rhythm.batch {
      let id = unsealed.session.description.id
      // It was split, and imported again as a whole.
      let target = EditTarget(kind: .session, id: id)
      if let count = book.entryCount(of: target), unsealed.session.entryCount > count {
        let whole = Edit(target: target, change: .set(.entryCount, nil), time: clock.next(at: now))
        book.add(whole, at: now, isClockSynchronised: false)
        try seal([whole], deletedBodies: SequenceRanges(), into: &draft)
      }
      var progress = SyncSealing.Progress(session: id, sealedCount: unsealed.sealedCount, isOver: unsealed.wasOver)
      repeat {
        guard try sealPart(of: unsealed.session, &progress, into: &draft, at: now, rhythm) else { break }
      } while draft.size < rhythm.batch && progress.sealedCount < unsealed.session.entryCount
      if progress.sealedCount != unsealed.sealedCount || progress.isOver != unsealed.wasOver {
        draft.sealing.progress.append(progress)
      }
      if progress.isOver { try repack(unsealed.session, into: &draft, rhythm) }
    }
  }

  /// Seals the ledger and the levels of a session that is over again, in few chunks, if it was sealed in many while it lasted. The
  /// bodies of these are deleted: a station that joins later reads the few.
  private func repack(_ record: SessionRecord, into draft: inout SealingDraft, _ rhythm: Rhythm) throws {
    let id = record.description.id
    let needed = (Int(record.entryCount) + rhythm.entries - 1) / rhythm.entries
    let ledger = try outbox.sequences(of: id, kind: ChunkKind.ledger.number) + draft.sequences(of: id, .ledger)
    let levels = try SessionRepository(database: database).stress(of: id)
    guard ledger.count > needed + 1, levels.count <= MeasurementChunkCodec.mostLevels else { return }
    let stress = try outbox.sequences(of: id, kind: ChunkKind.stress.number) + draft.sequences(of: id, .stress)
    var next: Int64 = 0
    while next < record.entryCount {
      let part = try part(of: record, from: next, rhythm)
      guard let last = part.entries.last else { return }
      next = last.sequence + 1
      try draft.append(.ledger, try LedgerChunkCodec.encode(part), session: id)
    }
    if !levels.isEmpty {
      let chunk = MeasurementChunk(levels: levels, derivation: derivation(of: id))
      try draft.append(.stress, try MeasurementChunkCodec.encode(chunk), session: id)
    }
    let replaced = ledger + stress
    draft.sealing.dropped += replaced
    try seal([], deletedBodies: SequenceRanges(numbers: replaced), into: &draft)
  }

  /// Seals the next entries of a session. Returns whether it did: the last entries of a session that lasts wait.
  private mutating func sealPart(
    of record: SessionRecord, _ progress: inout SyncSealing.Progress, into draft: inout SealingDraft,
    at now: WallTime, _ rhythm: Rhythm
  ) throws -> Bool {
    let part = try part(of: record, from: progress.sealedCount, rhythm)
    if !part.isOver, part.entries.count < rhythm.entries {
      // A clock that stepped back does not stop sealing.
      guard let first = part.entries.first, now.duration(since: first.wall).magnitude >= rhythm.liveAge else {
        return false
      }
    }
    guard !part.entries.isEmpty || part.isOver != progress.isOver else { return false }
    try draft.append(.ledger, try LedgerChunkCodec.encode(part), session: record.description.id)
    for edit in part.base(by: id) {
      book.add(edit, at: now, isClockSynchronised: false)
      draft.sealing.edits.append(edit.row)
    }
    progress.sealedCount += Int64(part.entries.count)
    progress.isOver = part.isOver
    return true
  }

  /// Returns the next entries of a session, with the links on which they arrived.
  private func part(of record: SessionRecord, from sequence: Int64, _ rhythm: Rhythm) throws -> LedgerChunk {
    let (links, entries) = try outbox.entries(of: record.description.id, from: sequence, limit: rhythm.entries)
    let used = Set(entries.map(\.link))
    return LedgerChunk(
      session: record.description, links: links.filter { used.contains($0.number) }, entries: entries,
      isOver: record.isComplete && sequence + Int64(entries.count) >= record.entryCount)
  }

  // MARK: - Levels

  /// Returns the derivation that the levels of a session belong to, or `nil` if it was derived once.
  private func derivation(of session: String) -> LevelDerivation? {
    book.derivation(of: session).map { LevelDerivation(session: session, time: $0, isWhole: false) }
  }

  private func sealLevels(into draft: inout SealingDraft) throws {
    let levels = try outbox.levels(limit: MeasurementChunkCodec.mostLevels / 4)
    // One session in a chunk, so that a deletion is exact.
    for (session, group) in Dictionary(grouping: levels, by: \.measurement.sessionID).sorted(by: {
      $0.key ?? "" < $1.key ?? ""
    }) {
      let payload = try MeasurementChunkCodec.encode(
        MeasurementChunk(levels: group.map(\.measurement), derivation: session.flatMap(derivation(of:))))
      let sequence = try draft.append(.stress, payload, session: session)
      draft.sealing.stress += group.map { ($0, sequence) }
    }
  }
}
