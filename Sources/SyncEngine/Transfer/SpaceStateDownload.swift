import Recording
import Repository
import StressKit
import Sync
import TachogramCore

extension SpaceState {
  /// What a download did.
  package struct Download: Sendable {
    package var count = 0
    /// The chunks that changed what is stored.
    var appliedCount = 0
    /// The sessions whose ledger grew.
    package var sessions: Set<String> = []
    /// What other stations deleted, and that is deleted here.
    package var deletions: [(selection: SessionSelection, category: DataCategory)] = []
    /// The sessions that other stations split, and that are to be derived again.
    var cutSessions: Set<String> = []
    /// Chunks that were refused, with the reason.
    package var refused: [(station: StationID, sequence: UInt64, reason: String)] = []
    package var findings: [LogFinding] = []
    package var unknownKindCount = 0
    /// Why the log of a station could not be read from the store, while others were.
    var failure: StoreFailure?
  }

  /// Receives the member records and what the other members wrote, and applies it. Returns the member records of the store too.
  package mutating func download(
    from store: any SyncStoreProtocol, at now: WallTime, isClockSynchronised: Bool, _ rhythm: Rhythm = Rhythm()
  ) async throws -> Download {
    var download = Download()
    let reader = StoreReader(store, space: space, batch: rhythm.readBatch)
    let stations = (Array(membership.members.keys) + membership.removed.keys).filter { $0 != id }.sorted()
    try await receiveNewest(of: stations, reader, into: &download, at: now, isClockSynchronised)
    for station in stations {
      do {
        try await receive(station, reader, into: &download, at: now, isClockSynchronised: isClockSynchronised)
      } catch StoreFailure.file(let failure) {
        download.failure = .file(failure)
      }
    }
    download.findings += receiver.findings
    return download
  }

  /// Receives both ends of long logs of which nothing is here, and derives their sessions: a station that joins shows the last days
  /// before it has read years.
  private mutating func receiveNewest(
    of stations: [StationID], _ reader: StoreReader, into download: inout Download, at now: WallTime,
    _ isClockSynchronised: Bool
  ) async throws {
    guard membership.members[id]?.role.canRead ?? false else { return }
    // What is missing before it, and waits for its beginning, is received next.
    let findings = download.findings
    defer { download.findings = findings }
    var hasMore = false
    for station in stations where receiver.logs[station]?.last ?? 0 == 0 {
      if membership.members[station]?.role == .recovery { continue }
      do {
        let isLong = try await reader.receiveNewest(from: station, into: &self) { received, state in
          try state.apply(received, of: station, into: &download, at: now, isClockSynchronised)
        }
        hasMore = hasMore || isLong
      } catch StoreFailure.file {
        // It is reported when the log is read from its beginning.
      }
    }
    if hasMore { _ = try PendingDerivations(database: database).deriveReceived(and: []) }
  }

  /// Receives the log of a station, also of this one.
  mutating func receive(
    _ station: StationID, _ reader: StoreReader, into download: inout Download, at now: WallTime,
    isClockSynchronised: Bool
  ) async throws {
    while true {
      let before = download.appliedCount
      try await reader.receive(from: station, into: &self) { received, state in
        try state.apply(received, of: station, into: &download, at: now, isClockSynchronised)
      }
      // What waited may continue what arrived now.
      guard receiver.unopened[station] != nil, download.appliedCount > before else { return }
    }
  }

  /// Applies received chunks, and stores the log.
  private mutating func apply(
    _ received: Received, of station: StationID, into download: inout Download, at now: WallTime,
    _ isClockSynchronised: Bool
  ) throws {
    download.count += received.chunks.count
    download.findings += received.findings
    download.unknownKindCount += received.unknownKindCount
    while true {
      var (arrivals, edited): ([SyncArrival], EditedBook) = ([], EditedBook(book))
      for item in received.chunks {
        let sequence = item.header.sequence
        do {
          for content in try contents(of: item, author: station, in: &edited, at: now, isClockSynchronised) {
            arrivals.append(SyncArrival(sequence: sequence, content))
          }
        } catch {
          download.refused.append((station, sequence, "\(error)"))
        }
      }
      let acknowledged = acknowledgements(among: received.chunks, of: station)
      let own = station == id ? try received.chunks.map(Self.sealed) : []
      let outcomes = try inbox.apply(
        arrivals, of: station.digest.bytes, kind: kind, clock: clockRow, own: own, discarded: edited.discarded
      ) { outcomes in
        for (arrival, outcome) in zip(arrivals, outcomes) where outcome == .waiting {
          receiver.holdBack(arrival.sequence, of: station)
        }
        // Otherwise two stations would acknowledge acknowledgements for ever.
        if let acknowledged { carried[station] = acknowledged }
        return rows(of: station, received.changed)
      }
      guard let outcomes else {
        // A person changed a target of the edits meanwhile: their value is an edit as well.
        while try seal(at: now) > 0 {}
        continue
      }
      book = edited.book
      download.deletions += arrivals.flatMap(\.deletions)
      download.cutSessions.formUnion(arrivals.flatMap(\.cutSessions))
      download.appliedCount += outcomes.count { $0 == .applied }
      for (arrival, outcome) in zip(arrivals, outcomes) {
        if case .refused(let reason) = outcome { download.refused.append((station, arrival.sequence, reason)) }
        if case .ledger(let session, _, _, _) = arrival.content, outcome == .applied {
          download.sessions.insert(session.id)
        }
      }
      return
    }
  }

  /// Returns the last of the chunks that follow what the own log has stated, if all of them only state heads. They need no
  /// acknowledgement.
  private func acknowledgements(among chunks: [ReceivedChunk], of station: StationID) -> UInt64? {
    var last = carried[station] ?? 0
    for item in chunks where item.header.sequence == last + 1 && item.chunk.kind == .edit {
      guard let content = try? EditChunkCodec.decode(item.chunk.payload, author: station), content.isAcknowledgement
      else {
        break
      }
      last += 1
    }
    return last == carried[station] ?? 0 ? nil : last
  }

  /// The row of an own chunk that came back from the store.
  private static func sealed(_ item: ReceivedChunk) throws -> SyncRows.Sealed {
    var (kind, session): (UInt8, String?) = (item.chunk.kind.number, nil)
    switch item.chunk.kind {
    case .ledger: session = try LedgerChunkCodec.decode(item.chunk.payload).session.id
    case .stress:
      let chunk = try MeasurementChunkCodec.decode(item.chunk.payload)
      session = chunk.derivation?.session ?? chunk.levels.first?.sessionID ?? chunk.readings.first?.session
      if !chunk.readings.isEmpty { kind = SealingDraft.readings }
    case .sleep: session = try NightChunkCodec.decode(item.chunk.payload).session
    case .edit, .unknown: break
    }
    return SyncRows.Sealed(sequence: item.header.sequence, kind: kind, session: session, envelope: nil)
  }

  // MARK: - Contents

  private mutating func contents(
    of item: ReceivedChunk, author: StationID, in edited: inout EditedBook, at now: WallTime,
    _ isClockSynchronised: Bool
  ) throws -> [SyncArrival.Content] {
    let payload = item.chunk.payload
    switch item.chunk.kind {
    case .ledger:
      var chunk = try LedgerChunkCodec.decode(payload)
      let base = chunk.base(by: author)
      let target = EditTarget(kind: .session, id: chunk.session.id)
      if let label = edited.book.history(.name, of: target) { chunk.session.label = label.value }
      if let person = edited.book.history(.person, of: target) { chunk.session.person = person.value }
      // A part that was split off is another session.
      if let count = edited.book.entryCount(of: target), chunk.entries.contains(where: { $0.sequence >= count }) {
        chunk.entries.removeAll { $0.sequence >= count }
        if chunk.entries.isEmpty { return [] }
        let links = Set(chunk.entries.map(\.link))
        chunk.links.removeAll { !links.contains($0.number) }
        chunk.isOver = true
      }
      let ledger = SyncArrival.Content.ledger(chunk.session, chunk.links, chunk.entries, isOver: chunk.isOver)
      // What was entered before the session arrived is stored with its beginning. An imported night has no entries.
      guard chunk.entries.isEmpty || chunk.entries.first?.sequence == 0 else { return [ledger] }
      var effects: [SyncArrival.Effect] = []
      // Two stations may have recorded, or imported, one session with different values.
      let isKnown = try SessionRepository(database: database).storedSession(chunk.session.id) != nil
      for edit in base where edited.book.add(edit, at: now, isClockSynchronised: false) == .applied && isKnown {
        if let effect = SyncArrival.Effect(edit) { effects.append(effect) }
      }
      return [ledger, .edits(base.map(\.row), effects + additions(to: target, in: edited.book))]
    case .stress:
      var chunk = try MeasurementChunkCodec.decode(payload)
      let derivation = chunk.derivation?.edit(by: author)
      if let derivation { edited.book.add(derivation, at: now, isClockSynchronised: false) }
      let sessions = Set(chunk.levels.compactMap(\.sessionID))
      let outdated = sessions.filter { id in
        edited.book.derivation(of: id).map { latest in chunk.derivation.map { $0.time < latest } ?? true } ?? false
      }
      chunk.levels.removeAll { $0.sessionID.map(outdated.contains) ?? false }
      let cut = sessions.filter { edited.book.entryCount(of: EditTarget(kind: .session, id: $0)) != nil }
      // Another station may have derived the session again later.
      let whole = chunk.derivation.flatMap { derivation in
        derivation.isWhole && edited.book.derivation(of: derivation.session) == derivation.time
          ? derivation.session : nil
      }
      let levels = SyncArrival.Content.measurements(chunk.levels, chunk.readings, cutSessions: cut, whole: whole)
      return derivation.map { [levels, .edits([$0.row], [])] } ?? [levels]
    case .sleep:
      let chunk = try NightChunkCodec.decode(payload)
      return [.night(session: chunk.session, chunk.night, chunk.movement)]
    case .edit:
      let edits = try EditChunkCodec.decode(payload, author: author).edits
      var (rows, effects): ([SyncRows.Edit], [SyncArrival.Effect]) = ([], [])
      for edit in edits where !edited.book.isOfDeletedSession(edit) {
        let outcome = add(edit, to: &edited, at: now, isClockSynchronised)
        // Texts about what is deleted are not kept.
        if outcome != .targetDeleted { rows.append(edit.row) }
        // Of several cuts the least holds, whichever is the latest.
        guard outcome == .applied || outcome == .lost && edit.isCut else { continue }
        if let effect = effect(of: edit, in: edited.book) { effects.append(effect) }
      }
      effects += edited.book.forgetMarkers(of: edits).compactMap { SyncArrival.Effect($0) }
      return [.edits(rows, effects)]
    case .unknown: return []
    }
  }

  /// Returns the note and the markers of a session that the book has.
  private func additions(to session: EditTarget, in book: EditBook) -> [SyncArrival.Effect] {
    var effects = book.targets(.marker).compactMap { target -> SyncArrival.Effect? in
      guard let text = book.value(.marker, of: target), let value = MarkerValue(text: text), value.session == session.id
      else { return nil }
      return .marker(value.marker(target.id), session: value.session)
    }
    if let note = book.value(.note, of: session) {
      effects.append(.session(session.id, SessionEdit(note: .some(note))))
    }
    return effects
  }

  /// Adds an edit to the book.
  private mutating func add(
    _ edit: Edit, to edited: inout EditedBook, at now: WallTime, _ isClockSynchronised: Bool
  ) -> EditBook.Outcome {
    let outcome = edited.book.add(edit, at: now, isClockSynchronised: isClockSynchronised)
    if outcome != .quarantined { clock.observe(edit.time) }
    if outcome != .known { edited.discardQuarantined(madeAgainAs: edit) }
    return outcome
  }

  /// Returns what holds after an edit that was applied.
  private func effect(of edit: Edit, in book: EditBook) -> SyncArrival.Effect? {
    guard edit.isCut else { return SyncArrival.Effect(edit) }
    return book.entryCount(of: edit.target).map { .cutSession(edit.target.id, entryCount: $0) }
  }
}
