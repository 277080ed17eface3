import FoundationEssentials
import GRDB
import StressKit
import TachogramCore

/// Applies the content of chunks, inside a transaction.
struct SyncApplication {
  let db: Database
  /// The path of the database, for errors.
  let path: String
  /// The number of the log, or `nil` for the own log, which contains sessions of this station.
  let station: Int64?
  /// The HRV metric for the derivation of sessions.
  let kind: HRVKind

  private var sessions: SessionTable { SessionTable(db: db) }
  private var changes: SyncChangeTable { SyncChangeTable(db: db) }

  func apply(_ content: SyncArrival.Content) throws -> SyncArrival.Outcome {
    switch content {
    case .ledger(let session, let links, let entries, let isOver):
      try apply(session, links, entries, isOver: isOver)
    case .measurements(let levels, let readings, let cut, let whole):
      try apply(levels, readings, cutSessions: cut, whole: whole)
    case .night(let session, let night, let movement): try apply(night, movement, of: session)
    case .edits(let edits, let effects): try apply(edits, effects)
    }
  }

  // MARK: - Sessions

  private func apply(
    _ session: SessionDescription, _ links: [StrapLink], _ entries: [LedgerEntry], isOver: Bool
  ) throws -> SyncArrival.Outcome {
    if try changes.isDeleted(SyncChangeTable.Kind.session, session.id) || isExpired(session.id) { return .deleted }
    let stored = try key(of: session.id)
    let next = try stored.map { try SequencedTable.ledger.nextSequence(db, session: $0) } ?? 0
    if let first = entries.first, first.sequence > next { return .waiting }
    let key = try stored ?? sessions.begin(session)
    if stored == nil {
      try db.execute(
        sql: "INSERT INTO sync_session (session, station, sealed_count, is_over) VALUES (?, ?, 0, 0)",
        arguments: [key, station])
    }
    var batch = SessionBatch()
    (batch.links, batch.entries) = (links, entries)
    try SessionWriter(db: db, id: session.id).write(batch)
    let count = (entries.last?.sequence ?? next - 1) + 1
    // A chunk that is read again does not end a session that went on.
    if count >= next {
      try db.execute(sql: "UPDATE session SET is_complete = ? WHERE key = ?", arguments: [isOver, key])
      if station == nil {
        try db.execute(
          sql: "UPDATE sync_session SET sealed_count = ?, is_over = ? WHERE session = ?",
          arguments: [count, isOver, key])
      }
    }
    if count > next || stored == nil { try sessions.notePendingDerivation(key, kind) }
    return .applied
  }

  private func key(of session: String) throws -> Int64? {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT key FROM session WHERE id = ?"), arguments: [session])
  }

  // MARK: - Measurements

  private func apply(
    _ levels: [StressMeasurement], _ readings: [HRVReading], cutSessions: Set<String>, whole: String?
  ) throws -> SyncArrival.Outcome {
    var isWaiting = false
    let scopes = try scopes()
    if let whole, let key = try key(of: whole) {
      try StressMeasurementTable(db: db).delete(of: key, except: levels.map(\.id))
    }
    for (id, group) in Dictionary(grouping: levels, by: \.sessionID) {
      var group = try group.filter {
        try !changes.isDeleted(SyncChangeTable.Kind.measurement, $0.id.uuidString.lowercased())
      }
      group.removeAll { level in
        scopes.contains { $0.includes(level: WallTime(level.timestamp), person: level.person, session: id) }
      }
      for place in group.indices { group[place].isSynced = true }
      if let id, try changes.isDeleted(SyncChangeTable.Kind.session, id) { continue }
      guard let id, let key = try key(of: id) else {
        // The history of a person outlives recordings, but one that is still to arrive receives its levels afterwards.
        if let id, try !isExpired(id) {
          isWaiting = true
          continue
        }
        for level in group { try StressMeasurementTable(db: db).add(level) }
        continue
      }
      let person = try String.fetchOne(
        db, sql: "SELECT name FROM person JOIN session ON session.person = person.id WHERE key = ?", arguments: [key])
      for place in group.indices { group[place].person = person }
      if cutSessions.contains(id) {
        // A level is that of a beat, up to a second after the entry that reported it.
        let end = try sessions.record(id).end.advanced(by: .seconds(1))
        group.removeAll { WallTime($0.timestamp) >= end }
      }
      if whole == nil { group = try holding(group, in: id) }
      var batch = SessionBatch()
      batch.stress = group
      try SessionWriter(db: db, id: id).write(batch)
      try BaselineTable(db: db).delete(ofPersonOf: key)
    }
    for reading in readings where try !changes.isDeleted(SyncChangeTable.Kind.reading, reading.id) {
      if let session = reading.session, try changes.isDeleted(SyncChangeTable.Kind.session, session) { continue }
      try ReadingRepository.insert(reading, db)
    }
    return isWaiting ? .waiting : .applied
  }

  /// Returns the levels that hold over stored ones with their identifiers. Two stations that imported one recording, with different
  /// histories before it, have different levels of it.
  private func holding(_ levels: [StressMeasurement], in session: String) throws -> [StressMeasurement] {
    let table = StressMeasurementTable(db: db)
    return try levels.filter { level in
      guard let stored = try table.measurement(id: level.id), stored.sessionID == session else { return true }
      return level.holds(over: stored)
    }
  }

  // MARK: - Nights

  private func apply(
    _ night: SleepSession?, _ movement: [MovementEpoch], of session: String
  ) throws -> SyncArrival.Outcome {
    if try changes.isDeleted(SyncChangeTable.Kind.session, session) || isExpired(session) { return .deleted }
    guard let key = try key(of: session) else { return .waiting }
    try MovementTable(db: db, key: key).store(movement)
    if let night {
      try SleepRepository.store(night, db, path: path)
    } else {
      try db.execute(sql: "DELETE FROM sleep_session WHERE session = ?", arguments: [key])
    }
    return .applied
  }

  // MARK: - Edits

  private func apply(
    _ edits: [SyncRows.Edit], _ effects: [SyncArrival.Effect]
  ) throws -> SyncArrival.Outcome {
    try SyncLogTable(db: db).store(edits)
    for edit in edits where edit.field == 0 {
      try SyncEditPurge(db: db).purge(kind: Int64(edit.kind), target: edit.target)
    }
    for effect in effects { try apply(effect) }
    return .applied
  }

  private func apply(_ effect: SyncArrival.Effect) throws {
    switch effect {
    case .session(let id, let edit):
      if try key(of: id) != nil { try SessionMerge(db: db).assign(id, edit) }
    case .strap(let address, let name, let person): try StrapRepository.change(address, name, person, db)
    case .marker(let marker, let session):
      guard let key = try key(of: session) else { return }
      // It moves with the part of a session that was split.
      try db.execute(sql: "UPDATE marker SET session = ? WHERE id = ?", arguments: [key, marker.id])
      try MarkerTable(db: db).store(marker, session: key)
    case .cutSession(let id, let count):
      if let key = try key(of: id) { try SessionDivision(db: db).cut(id, key, entryCount: count, kind) }
    case .deletedSession(let id): try delete(id)
    case .deletedLevel(let id):
      try db.execute(
        sql: "UPDATE stress_measurement SET is_deleted = 1, is_synced = 1 WHERE id = ?",
        arguments: [id.uuidString.lowercased()])
    case .deletedMarker(let id): try db.execute(sql: "DELETE FROM marker WHERE id = ?", arguments: [id])
    case .deletedReading(let id): try db.execute(sql: "DELETE FROM reading WHERE id = ?", arguments: [id])
    case .deleted(let scope):
      guard var meant = scope.meant else { return }
      meant.excluding = try recorded()
      if scope.category == .sessions { try meant.excluding.formUnion(received()) }
      try delete(meant, scope.category)
      if scope.category == .sessions, scope.selection.range == nil { try forgetPeople() }
    }
  }

  /// Deletes the names of persons of whom nothing is left.
  private func forgetPeople() throws {
    for key in try Int64.fetchAll(db, sql: "SELECT id FROM person") { try PersonTable(db: db).deleteIfUnused(key) }
  }

  /// Deletes a session. One that is being recorded here is deleted when its recording is over.
  private func delete(_ session: String) throws {
    guard try recorded().contains(session) else {
      try delete(.session(session), .sessions)
      return try forgetPeople()
    }
    try changes.note(SyncRows.Change.doomedSession, session)
  }

  /// Returns the sessions of this station that did not end in order: a recording may continue them.
  private func recorded() throws -> Set<String> {
    Set(
      try String.fetchAll(
        db,
        sql: """
          SELECT id FROM session LEFT JOIN sync_session ON sync_session.session = session.key
          WHERE is_complete = 0 AND station IS NULL
          """))
  }

  /// Returns the sessions of other stations. A deletion of a selection is applied by each station to what it recorded, and reaches
  /// the others as deletions of sessions: what a station stores after it has received the deletion was not meant, in whatever order
  /// others learn of both.
  private func received() throws -> Set<String> {
    Set(
      try String.fetchAll(
        db,
        sql: """
          SELECT id FROM sync_session CROSS JOIN session ON session.key = sync_session.session WHERE station IS NOT NULL
          """))
  }

  /// Returns the sessions that scopes among effects delete, which are deleted one by one for the other stations.
  func sessions(of effects: [SyncArrival.Effect]) throws -> [String] {
    var sessions: [String] = []
    for case .deleted(let scope) in effects where scope.category == .sessions {
      guard var meant = scope.meant else { continue }
      meant.excluding = try recorded().union(received())
      sessions += try SelectedSession.all(db, meant).map(\.id)
    }
    return sessions
  }

  /// Returns the deletions of selections.
  private func scopes() throws -> [SyncScope] {
    try String.fetchAll(
      db.cachedStatement(sql: "SELECT target FROM sync_edit WHERE kind = ? AND field = 0"),
      arguments: [SyncScope.kind]
    ).compactMap { SyncScope(text: $0) }
  }

  private func delete(_ selection: SessionSelection, _ category: DataCategory) throws {
    try CategoryDeletion(db: db, category: category).delete(try SelectedSession.all(db, selection), of: selection)
    if category == .sessions { try sessions.deleteUnusedStraps() }
  }

  private func isExpired(_ session: String) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM sync_expired WHERE session = ?)"),
      arguments: [session]) ?? false
  }
}

extension StressMeasurement {
  /// Whether this one of two levels with one identifier holds on all stations: a choice by their values, the same in either order.
  fileprivate func holds(over other: StressMeasurement) -> Bool {
    let (mine, theirs) = (order, other.order)
    return mine == theirs ? deviceID >= other.deviceID : theirs.lexicographicallyPrecedes(mine)
  }

  private var order: [Double] {
    [stressLevel, confidence, hrv, heartRate, restingHeartRate, modified.timeIntervalSince1970]
  }
}
