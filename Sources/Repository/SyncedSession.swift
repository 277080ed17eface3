import GRDB

/// Tells other stations that a session was split or joined to another one, inside a transaction. Sessions that are not sealed need
/// nothing.
struct SyncedSession {
  /// The kinds of noted changes of nights, and of sessions that were split.
  static let night: UInt8 = 64
  static let cut: UInt8 = 69

  let db: Database

  /// Whether other stations may have a session.
  func isShared(_ key: Int64) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (SELECT 1 FROM sync_session WHERE session = ? AND (station IS NOT NULL OR sealed_count > 0))
        """, arguments: [key]) ?? false
  }

  /// Whether a session came from another station.
  func isReceived(_ key: Int64) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM sync_session WHERE session = ? AND station IS NOT NULL)", arguments: [key])
      ?? false
  }

  /// Notes that a session keeps its first entries, and that the others are those of a new session.
  func noteCut(_ id: String, _ key: Int64, entryCount: Int64, second: Int64) throws {
    guard try isShared(key) else { return }
    try note(Self.cut, "\(id)\n\(entryCount)")
    try limit(key, to: entryCount)
    try db.execute(sql: "UPDATE stress_measurement SET is_synced = 0 WHERE session = ?", arguments: [second])
  }

  /// Does not seal entries again that a session does not have any more.
  func limit(_ key: Int64, to entryCount: Int64) throws {
    try db.execute(
      sql: "UPDATE sync_session SET sealed_count = min(sealed_count, ?) WHERE session = ? AND station IS NULL",
      arguments: [entryCount, key])
  }

  /// Makes a shared session a new one of this station, with all that belongs to it. The others delete the old one.
  func renew(_ id: String, _ key: Int64, as new: String) throws {
    try db.execute(sql: "UPDATE session SET id = ? WHERE key = ?", arguments: [new, key])
    try db.execute(sql: "DELETE FROM sync_session WHERE session = ?", arguments: [key])
    try db.execute(
      sql: """
        DELETE FROM sync_sealed_stress
        WHERE measurement IN (SELECT key FROM stress_measurement WHERE session = ?)
        """, arguments: [key])
    try db.execute(sql: "UPDATE stress_measurement SET is_synced = 0 WHERE session = ?", arguments: [key])
    for target in [id, new] { try note(1, target) }
    try note(Self.night, new)
    for (kind, table) in [(6, "marker"), (7, "reading")] as [(UInt8, String)] {
      for target in try String.fetchAll(db, sql: "SELECT id FROM \(table) WHERE session = ?", arguments: [key]) {
        try note(kind, target)
      }
    }
  }

  /// Returns the synchronised levels of a session.
  func levels(of key: Int64) throws -> Set<String> {
    Set(
      try String.fetchAll(
        db, sql: "SELECT id FROM stress_measurement WHERE session = ? AND is_synced = 1 AND is_deleted = 0",
        arguments: [key]))
  }

  /// Notes that levels were replaced, and are not stored any more.
  func noteReplaced(_ levels: Set<String>) throws {
    guard !levels.isEmpty, try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM sync_space)") ?? false else {
      return
    }
    for level in levels.sorted() {
      let isStored = try Bool.fetchOne(
        db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM stress_measurement WHERE id = ?)"), arguments: [level])
      if isStored == false { try note(4, level) }
    }
  }

  private func note(_ kind: UInt8, _ target: String) throws {
    try db.execute(
      sql: "INSERT OR IGNORE INTO sync_change (kind, target, time_us) VALUES (?, ?, 0)",
      arguments: [Int64(kind), target])
  }
}
