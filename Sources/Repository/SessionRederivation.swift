import FoundationEssentials
import GRDB
import StressKit
import TachogramCore

/// Replaces the derived rows of a session with rows that were derived again, inside a transaction.
struct SessionRederivation {
  let db: Database
  let id: String
  let key: Int64

  init(db: Database, id: String) throws {
    (self.db, self.id) = (db, id)
    key = try SessionTable(db: db).key(of: id)
  }

  /// Stores the rows of `batch`. Returns the previous and the new rows, as they are stored.
  func replace(
    with batch: SessionBatch, keeping: (SessionBatch) -> RederivedSession.Kept
  ) throws -> RederivedSession {
    let before = try rows()
    let kept = keeping(before)
    var batch = batch
    if kept.keepsWindows { batch.windows = [] }
    batch.stress = kept.keepsStress ? before.stress : unchanged(batch.stress, before.stress)
    if kept.keepsWindows {
      // The trends of hours whose windows were deleted are kept.
      try delete(["artifact", "beat", "gap", "owed"])
      batch.stress = []
    } else {
      try SessionTable(db: db).empty(id)
    }
    try SessionWriter(db: db, id: id).write(batch)
    try BaselineTable(db: db).delete(ofPersonOf: key)
    let change = RederivedSession(before: before, after: try rows(), kept: kept)
    if change.stress.differing > 0 { try SyncedSession(db: db).noteLevels(id, key) }
    return change
  }

  /// Returns the levels, of which unchanged ones keep their stored state of synchronisation.
  private func unchanged(_ levels: [StressMeasurement], _ stored: [StressMeasurement]) -> [StressMeasurement] {
    let known = Dictionary(stored.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    return levels.map { level in
      guard let known = known[level.id] else { return level }
      var same = known
      (same.isSynced, same.modified) = (level.isSynced, level.modified)
      return same == level ? known : level
    }
  }

  private func delete(_ tables: [String]) throws {
    for table in tables { try db.execute(sql: "DELETE FROM \(table) WHERE session = ?", arguments: [key]) }
  }

  private func rows() throws -> SessionBatch {
    let reader = SessionReader(db: db, key: key)
    var rows = SessionBatch()
    rows.beats = try reader.beats(from: 0, limit: .max)
    rows.gaps = try reader.gaps()
    rows.artifacts = try reader.artifacts()
    rows.windows = try reader.windows()
    rows.stress = try StressMeasurementTable(db: db).measurements(session: key)
    return rows
  }
}
