import FoundationEssentials
import Recording
import Repository
import Sync
import TachogramCore

extension SpaceState {
  /// The maximum length of the texts in a chunk of edits, in bytes.
  private static let mostText = 256 << 10

  /// Seals what people entered or deleted since the last call.
  mutating func sealEdits(into draft: inout SealingDraft, at now: WallTime) throws {
    var edits: [Edit] = []
    // Those of chunks that are replaced, with their own times.
    var again: [Edit] = []
    var dropped: [UInt64] = []
    for change in try outbox.changes() {
      switch change.kind {
      case SyncRows.Change.editChunk:
        guard let sequence = UInt64(change.target) else { break }
        again += try outbox.edits(inChunk: sequence).compactMap { Edit($0) }
        dropped.append(sequence)
      case SyncRows.Change.addedStrap:
        let target = EditTarget(kind: .strap, id: change.target)
        try adopt(target)
        edits += try changes(of: target).map { made in
          Edit(target: target, change: made, time: clock.next(at: change.time))
        }
      case SyncRows.Change.cutSession:
        if let (target, edit) = CutSession(text: change.target).map({ ($0.target, $0.change) }) {
          edits.append(Edit(target: target, change: edit, time: clock.next(at: now)))
        }
      case SyncRows.Change.levels:
        try sealAllLevels(of: change.target, into: &draft, at: now)
      case SyncRows.Change.night:
        guard try sealNight(change.target, into: &draft) else { continue }
      // Its ledger is sealed with its end.
      case SyncRows.Change.endedSession: break
      case SyncRows.Change.doomedSession:
        guard try deleteIfOver(change.target, at: now) else { continue }
      case SyncRows.Change.droppedSession: dropped += try outbox.sequences(of: change.target)
      default:
        let target = EditTarget(kind: EditTarget.Kind(number: change.kind), id: change.target)
        if target.kind == .reading, let reading = try outbox.reading(target.id) {
          try draft.append(
            .stress, try MeasurementChunkCodec.encode(MeasurementChunk(readings: [reading])), session: reading.session,
            storedKind: SealingDraft.readings)
          break
        }
        let made = try changes(of: target).map { made in
          Edit(
            target: target, change: made,
            time: clock.next(at: change.time > WallTime(microseconds: 0) ? change.time : now))
        }
        for edit in made where edit.change == .delete && target.kind == .session {
          dropped += try outbox.sequences(of: target.id)
        }
        edits += made
      }
      draft.sealing.done.append(change)
    }
    edits += editsToMakeAgain.filter { old in !edits.contains { $0.target == old.target } }.map { old in
      Edit(target: old.target, change: old.change, time: clock.next(at: now))
    }
    for edit in edits {
      book.add(edit, at: now, isClockSynchronised: false)
      draft.sealing.discarded += book.discardQuarantined(madeAgainAs: edit).map(\.row)
    }
    book.forgetMarkers(of: edits)
    draft.sealing.dropped = dropped
    var bodies = SequenceRanges(numbers: dropped)
    // The chunk that stated them may be among those that are dropped.
    if !again.isEmpty || !dropped.isEmpty {
      bodies = bodies.union(receiver.logs[id]?.deletedBodies ?? SequenceRanges())
    }
    let places = dropped.isEmpty ? SequenceRanges() : bodies
    try seal(edits + again.filter { !edits.contains($0) }, deletedBodies: places, into: &draft)
  }

  /// Gives a strap that was added here the name and the owner that others gave it, unless they were entered here.
  private func adopt(_ target: EditTarget) throws {
    let straps = try StrapRepository(database: database).straps()
    guard let strap = straps.first(where: { $0.address.targetID == target.id }) else { return }
    let name = strap.name == strap.advertisedName ? book.value(.name, of: target) : nil
    let owner = strap.person == nil ? book.value(.owner, of: target) : nil
    if name != nil || owner != nil { try inbox.adopt(strap.address, name: name, person: owner.map { .some($0) }) }
  }

  func seal(_ edits: [Edit], deletedBodies: SequenceRanges, into draft: inout SealingDraft) throws {
    var (rest, places) = (edits[...], deletedBodies)
    while !rest.isEmpty || !places.ranges.isEmpty {
      var (part, length): ([Edit], Int) = ([], 0)
      while let next = rest.first, part.count < EditChunkCodec.mostEdits, length < Self.mostText {
        part.append(next)
        length += next.textLength
        rest.removeFirst()
      }
      let ranges = SequenceRanges(Array(places.ranges.prefix(EditChunkCodec.mostRanges)))
      places = SequenceRanges(Array(places.ranges.dropFirst(EditChunkCodec.mostRanges)))
      let sequence = try draft.append(
        .edit, try EditChunkCodec.encode(EditChunk(edits: part, deletedBodies: ranges)))
      draft.sealing.edits += part.map { edit in
        var row = edit.row
        row.sequence = sequence
        return row
      }
      // Sensors cannot read the chunk, but must know what was deleted and who wears their straps.
      let needed = part.filter { $0.change == .delete || $0.target.kind == .strap }
      guard !needed.isEmpty else { continue }
      let payload = try EditChunkCodec.encode(EditChunk(edits: needed))
      for sensor in draft.sensors where sensor.id != id { try draft.append(.edit, payload, to: sensor) }
    }
  }

  /// Deletes a session that another station deleted while it was recorded here. Returns `false` while a recording may continue it.
  private func deleteIfOver(_ session: String, at now: WallTime) throws -> Bool {
    guard let record = try SessionRepository(database: database).storedSession(session) else { return true }
    let isOver = record.isComplete || now.duration(since: record.end).magnitude > PendingDerivations.longestInterruption
    if isOver { try DeletionRepository(database: database).delete(.session(session)) }
    return isOver
  }

  // MARK: - What changed

  /// Returns the values of a target that differ from the edits that hold.
  private func changes(of target: EditTarget) throws -> [Edit.Change] {
    guard book.deleted[target] == nil else { return [] }
    switch target.kind {
    case .session:
      guard let record = try SessionRepository(database: database).storedSession(target.id) else { return [.delete] }
      let session = record.description
      return changed(target, [(.name, session.label), (.note, record.note), (.person, session.person)])
    case .strap:
      let straps = try StrapRepository(database: database).straps()
      guard let strap = straps.first(where: { $0.address.targetID == target.id }) else { return [] }
      return changed(target, [(.name, strap.name), (.owner, strap.person)])
    case .measurement, .reading: return [.delete]
    case .marker:
      guard let (marker, session) = try outbox.marker(target.id) else { return [.delete] }
      return changed(target, [(.marker, MarkerValue(marker, session: session).text)])
    case .selection: return [.delete]
    case .station:
      guard target.id == id.description, let space = try repository.space() else { return [] }
      return changed(target, [(.name, space.name)])
    case .person, .unknown: return []
    }
  }

  private func changed(_ target: EditTarget, _ values: [(EditField, String?)]) -> [Edit.Change] {
    values.filter { book.value($0.0, of: target) != $0.1 }.map { .set($0.0, $0.1) }
  }

  // MARK: - Levels

  /// Seals all levels of a session that was derived again, unless it was deleted since. The levels above the limit of a chunk follow as
  /// those of other sessions do.
  private mutating func sealAllLevels(
    of session: String, into draft: inout SealingDraft, at now: WallTime
  ) throws {
    guard try SessionRepository(database: database).storedSession(session) != nil else { return }
    let levels = try outbox.levels(of: session, limit: MeasurementChunkCodec.mostLevels)
    let derivation = LevelDerivation(session: session, time: clock.next(at: now).wall, isWhole: true)
    let edit = derivation.edit(by: id)
    book.add(edit, at: now, isClockSynchronised: false)
    draft.sealing.edits.append(edit.row)
    let chunk = MeasurementChunk(levels: levels.map(\.measurement), derivation: derivation)
    let sequence = try draft.append(.stress, try MeasurementChunkCodec.encode(chunk), session: session)
    draft.sealing.stress += levels.map { ($0, sequence) }
  }

  // MARK: - Nights

  /// Seals the movement and the night of a session. Returns `false` for a session that lasts, whose night is sealed at its end.
  private func sealNight(_ session: String, into draft: inout SealingDraft) throws -> Bool {
    let sessions = SessionRepository(database: database)
    guard let record = try sessions.storedSession(session), try !outbox.isReceived(session) else { return true }
    guard record.isComplete else { return false }
    let nights = SleepRepository(database: database)
    let chunk = NightChunk(
      session: session, night: try nights.night(of: session),
      movement: Array(try nights.movement(of: session).prefix(NightChunkCodec.mostEpochs)))
    try draft.append(.sleep, try NightChunkCodec.encode(chunk), session: session)
    return true
  }
}

extension Edit {
  /// The length of its texts, in bytes.
  fileprivate var textLength: Int {
    if case .set(_, let value?) = change { target.id.utf8.count + value.utf8.count } else { target.id.utf8.count }
  }
}
