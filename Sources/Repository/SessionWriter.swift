import GRDB
import StressKit
import TachogramCore

/// Writes batches of one session, inside a transaction: the ledger first, then the derived rows.
struct SessionWriter {
  let db: Database
  /// The identifier, for errors.
  let id: String
  let key: Int64

  init(db: Database, id: String) throws {
    self.db = db
    self.id = id
    self.key = try SessionTable(db: db).key(of: id)
  }

  func write(_ batch: SessionBatch) throws {
    try write(batch.links)
    try write(batch.entries)
    try SensorTable(db: db, id: id, key: key).append(batch.sensors)
    try MovementTable(db: db, key: key).store(batch.movement)
    try write(batch.beats)
    try write(batch.gaps)
    try write(batch.artifacts)
    try write(batch.windows)
    let measurements = StressMeasurementTable(db: db)
    for measurement in batch.stress { try measurements.storeDerived(measurement, session: key) }
    guard !batch.stress.isEmpty else { return }
    // They may follow the windows of their hours, as from a file.
    let hours = try batch.stress.map { level in
      try StoredDate.microseconds(level.timestamp, field: "timestamp") / RollupTable.hour
    }
    try RollupTable(db: db).markPending(hours: Set(hours), session: key)
  }

  // MARK: - What was heard

  /// Writes links. A stored link keeps its boot and handle, but the source of the handle may be corrected.
  private func write(_ links: [StrapLink]) throws {
    for link in links {
      try db.execute(
        sql: """
          INSERT INTO link (session, number, boot_id, handle, handle_source) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (session, number) DO UPDATE SET handle_source = excluded.handle_source
          WHERE boot_id IS excluded.boot_id AND handle = excluded.handle
          """,
        arguments: [key, link.number, link.bootID, link.handle, link.handleSource.rawValue],
      )
      guard db.changesCount == 1 else { throw RepositoryError.linkConflict(session: id, number: link.number) }
    }
  }

  private func write(_ entries: [LedgerEntry]) throws {
    guard !entries.isEmpty else { return }
    var next = try SequencedTable.ledger.nextSequence(db, session: key)
    let reader = SessionReader(db: db, key: key)
    let insertion = try BulkInsertion(
      db, "INSERT INTO ledger (session, sequence, link, kind, monotonic_us, wall_us, reason, value)", columnCount: 8)
    var start = entries.startIndex
    for (index, entry) in entries.enumerated() {
      if entry.sequence < next {
        // It may be in the same batch.
        try insertion.insert(entries[start..<index], bind)
        start = index + 1
        guard try reader.entries(from: entry.sequence, limit: 1) == [entry] else {
          throw RepositoryError.ledgerConflict(session: id, sequence: entry.sequence)
        }
        continue
      }
      try expect(entry.sequence, next, in: .ledger)
      next += 1
    }
    try insertion.insert(entries[start...], bind)
  }

  private func bind(_ statement: RawStatement, _ index: Int32, _ entry: LedgerEntry) throws {
    try statement.bind(key, at: index)
    try statement.bind(entry.sequence, at: index + 1)
    try statement.bind(Int64(entry.link), at: index + 2)
    try statement.bind(entry.monotonic.microseconds, at: index + 4)
    try statement.bind(entry.wall.microseconds, at: index + 5)
    switch entry.content {
    case .notification(let bytes): try bind(statement, index, .notification, bytes)
    case .pulseIntervals(let bytes): try bind(statement, index, .pulseIntervals, bytes)
    case .linkDown(let reason):
      try statement.bind(LedgerKind.linkDown.rawValue, at: index + 3)
      try statement.bind(Int64(reason), at: index + 6)
      try statement.bindNull(at: index + 7)
    }
  }

  private func bind(_ statement: RawStatement, _ index: Int32, _ kind: LedgerKind, _ value: [UInt8]) throws {
    try statement.bind(kind.rawValue, at: index + 3)
    try statement.bindNull(at: index + 6)
    try statement.bind(value, at: index + 7)
  }

  // MARK: - What was derived

  private func write(_ beats: [Beat]) throws {
    guard !beats.isEmpty else { return }
    var next = try SequencedTable.beat.nextSequence(db, session: key)
    for beat in beats {
      try expect(beat.sequence, next, in: .beat)
      next += 1
    }
    try BulkInsertion(
      db, "INSERT INTO beat (session, sequence, time_us, ticks, ledger_sequence, marks)", columnCount: 6
    )
    .insert(beats) { statement, index, beat in
      try statement.bind(key, at: index)
      try statement.bind(beat.sequence, at: index + 1)
      try statement.bind(beat.time.microseconds, at: index + 2)
      try statement.bind(Int64(beat.rr.ticks), at: index + 3)
      try statement.bind(beat.ledgerSequence, at: index + 4)
      try statement.bind(Int64(beat.marks.rawValue), at: index + 5)
    }
  }

  private func write(_ gaps: [BeatGap]) throws {
    guard !gaps.isEmpty else { return }
    var next = try SequencedTable.gap.nextSequence(db, session: key)
    let statement = try db.cachedStatement(
      sql: "INSERT INTO gap (session, sequence, start_us, end_us, reason, ledger_sequence) VALUES (?, ?, ?, ?, ?, ?)")
    for gap in gaps {
      try expect(gap.sequence, next, in: .gap)
      next += 1
      try statement.execute(arguments: [
        key, gap.sequence, gap.start.microseconds, gap.end.microseconds, gap.reason.rawValue, gap.ledgerSequence,
      ])
    }
  }

  private func write(_ artifacts: [BeatArtifact]) throws {
    guard !artifacts.isEmpty else { return }
    let statement = try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO artifact (session, beat, class, replacements, milliseconds) VALUES (?, ?, ?, ?, ?)")
    for artifact in artifacts {
      try statement.execute(arguments: [
        key, artifact.beat, artifact.beatClass.rawValue, artifact.replacements, artifact.milliseconds,
      ])
    }
  }

  /// Writes windows. Of two windows of one length that end in the same microsecond (after a beat of zero ticks), the later one
  /// is kept.
  private func write(_ windows: [HRVWindow]) throws {
    guard !windows.isEmpty else { return }
    let columns = "session, length, end_us, coverage, artifact_share, count, pair_count, duration"
    try BulkInsertion(
      db, "INSERT OR REPLACE INTO hrv_window (\(columns), \(HRVWindowColumns.metricNames))",
      columnCount: 8 + HRVWindowColumns.metrics.count
    ).insert(windows) { statement, index, window in
      try statement.bind(key, at: index)
      try statement.bind(Int64(window.length.seconds), at: index + 1)
      try statement.bind(window.end.microseconds, at: index + 2)
      try statement.bind(window.coverage, at: index + 3)
      try statement.bind(window.artifactShare, at: index + 4)
      try statement.bind(Int64(window.metrics.count), at: index + 5)
      try statement.bind(Int64(window.metrics.pairCount), at: index + 6)
      try statement.bind(window.metrics.duration, at: index + 7)
      for (offset, metric) in HRVWindowColumns.metrics.enumerated() {
        try statement.bind(window.metrics.values[keyPath: metric.value], at: index + Int32(8 + offset))
      }
    }
  }

  private func expect(_ found: Int64, _ expected: Int64, in table: SequencedTable) throws {
    guard found == expected else {
      throw RepositoryError.sequenceHole(session: id, table: table.rawValue, expected: expected, found: found)
    }
  }
}
