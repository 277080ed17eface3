import FoundationEssentials
import GRDB
import TachogramCore

extension SyncRepository {
  /// Returns what the last synchronisation found, and the chunks that were refused.
  package func findings() throws(RepositoryError) -> [SyncRows.Finding] {
    try database.read { db in
      try Row.fetchAll(
        db, sql: "SELECT kind, station, sequences, since_us, witness, reason FROM sync_finding ORDER BY number"
      ).map { row in
        let reader = RowReader(row: row)
        return SyncRows.Finding(
          kind: try reader.integer(0), station: try reader.bytes(1), sequences: try reader.text(2),
          since: reader.optionalInteger(3).map(WallTime.init(microseconds:)),
          witness: row[4] as Data? == nil ? nil : try reader.bytes(4), reason: reader.optionalText(5))
      }
    }
  }

  /// Stores what a synchronisation found. Chunks that were refused are kept until `acceptRefused`.
  package func store(_ findings: [SyncRows.Finding]) throws(RepositoryError) {
    let stored = try self.findings()
    let kept = stored.filter { $0.kind == SyncRows.Finding.refused }
    let wanted = kept + findings.filter { !kept.contains($0) }
    guard wanted != stored else { return }
    try database.write { db in
      try db.execute(sql: "DELETE FROM sync_finding")
      for finding in wanted {
        try db.execute(
          sql: """
            INSERT INTO sync_finding (kind, station, sequences, since_us, witness, reason) VALUES (?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            Int64(finding.kind), Data(finding.station), finding.sequences, finding.since?.microseconds,
            finding.witness.map { Data($0) }, finding.reason,
          ])
      }
    }
  }

  /// Forgets the chunks that were refused. Returns their number.
  @discardableResult
  package func acceptRefused() throws(RepositoryError) -> Int {
    try database.write { db in
      try db.execute(
        sql: "DELETE FROM sync_finding WHERE kind = ?", arguments: [Int64(SyncRows.Finding.refused)])
      return db.changesCount
    }
  }
}
