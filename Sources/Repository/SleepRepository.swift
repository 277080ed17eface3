import GRDB
import TachogramCore

/// The nights: sessions in which a person slept, with their stages, movement and sound.
package struct SleepRepository: Sendable {
  private let database: TachogramDatabase

  package init(database: TachogramDatabase) {
    self.database = database
  }

  // MARK: - Nights

  /// Stores a night, or replaces the stored one of its session with its stages. Throws `sessionNotFound`, `receivedNight`, and
  /// `contradiction` if the periods overlap or are not in order.
  package func store(_ night: SleepSession) throws(RepositoryError) {
    let path = database.path
    try database.write { db in
      if try SyncedSession(db: db).isReceived(night.session) {
        throw RepositoryError.receivedNight(session: night.session)
      }
      try Self.store(night, db, path: path)
    }
  }

  /// Stores a night inside a transaction; `path` is that of the database, for errors.
  static func store(_ night: SleepSession, _ db: Database, path: String) throws {
    let key = try SessionTable(db: db).key(of: night.session)
    let staging = night.staging
    try db.execute(
      sql: """
        INSERT INTO sleep_session (
          session, origin, lights_off_us, lights_on_us, estimator, lowest_heart_rate, mean_heart_rate, rmssd)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (session) DO UPDATE SET
          origin = excluded.origin, lights_off_us = excluded.lights_off_us, lights_on_us = excluded.lights_on_us,
          estimator = excluded.estimator, lowest_heart_rate = excluded.lowest_heart_rate,
          mean_heart_rate = excluded.mean_heart_rate, rmssd = excluded.rmssd
        """,
      arguments: [
        key, night.origin.rawValue, night.lightsOff.microseconds, night.lightsOn?.microseconds, staging?.estimator,
        staging?.lowestHeartRate, staging?.meanHeartRate, staging?.rmssd,
      ])
    try db.execute(sql: "DELETE FROM sleep_stage WHERE session = ?", arguments: [key])
    var end = MonotonicTime(microseconds: .min)
    for period in staging?.periods ?? [] {
      guard period.start >= end, period.end > period.start else {
        throw RepositoryError.contradiction(path: path, detail: "sleep stages of \(night.session) are not in order")
      }
      end = period.end
      try db.cachedStatement(
        sql: "INSERT INTO sleep_stage (session, start_us, end_us, stage) VALUES (?, ?, ?, ?)"
      ).execute(arguments: [key, period.start.microseconds, period.end.microseconds, period.stage.rawValue])
    }
  }

  /// Returns the night of a session, or `nil` if the session is not one. Throws `sessionNotFound`.
  package func night(of sessionID: String) throws(RepositoryError) -> SleepSession? {
    try database.read { db in
      try nights(db, "session.key = ?", [try SessionTable(db: db).key(of: sessionID)]).first
    }
  }

  /// Returns the nights of a person that began within a range of time, the newest first; `nil` stands for no person.
  package func nights(
    of person: String?, startingIn range: ClosedRange<WallTime>
  ) throws(RepositoryError) -> [SleepSession] {
    try database.read { db in
      guard case .key(let owner) = try PersonTable(db: db).owner(named: person) else { return [] }
      return try nights(
        db, "session.person IS ? AND session.start_us BETWEEN ? AND ?",
        [owner, range.lowerBound.microseconds, range.upperBound.microseconds])
    }
  }

  /// Returns the nights of all persons, the newest first.
  package func nights() throws(RepositoryError) -> [SleepSession] {
    try database.read { db in try nights(db, "TRUE", []) }
  }

  /// Returns the nights of all persons that last, the newest first.
  package func running() throws(RepositoryError) -> [SleepSession] {
    try database.read { db in try nights(db, "lights_on_us IS NULL", []) }
  }

  /// The session becomes an ordinary one again. Its movement and sound are kept. Returns whether it was a night.
  package func forget(_ sessionID: String) throws(RepositoryError) -> Bool {
    try database.write { db in
      let key = try SessionTable(db: db).key(of: sessionID)
      try db.execute(sql: "DELETE FROM sleep_session WHERE session = ?", arguments: [key])
      return db.changesCount > 0
    }
  }

  private func nights(_ db: Database, _ condition: String, _ arguments: StatementArguments) throws -> [SleepSession] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT session.id, sleep_session.origin, lights_off_us, lights_on_us, estimator, lowest_heart_rate,
          mean_heart_rate, rmssd, session.key
        FROM session JOIN sleep_session ON sleep_session.session = session.key
        WHERE \(condition) ORDER BY session.start_us DESC, session.key DESC
        """, arguments: arguments)
    return try rows.map { row in
      let row = RowReader(row: row)
      var night = SleepSession(
        session: try row.text(0), origin: try row.choice(1), lightsOff: MonotonicTime(microseconds: try row.integer(2)),
        lightsOn: row.optionalInteger(3).map(MonotonicTime.init(microseconds:)))
      guard let estimator = row.optionalText(4) else { return night }
      night.staging = SleepSession.Staging(
        estimator: estimator, periods: try periods(db, try row.integer(8)), lowestHeartRate: row.optionalReal(5),
        meanHeartRate: row.optionalReal(6), rmssd: row.optionalReal(7))
      return night
    }
  }

  private func periods(_ db: Database, _ key: Int64) throws -> [SleepStagePeriod] {
    let rows = try Row.fetchCursor(
      db.cachedStatement(sql: "SELECT start_us, end_us, stage FROM sleep_stage WHERE session = ? ORDER BY start_us"),
      arguments: [key])
    var periods: [SleepStagePeriod] = []
    while let row = try rows.next() {
      let row = RowReader(row: row)
      periods.append(
        SleepStagePeriod(
          start: MonotonicTime(microseconds: try row.integer(0)), end: MonotonicTime(microseconds: try row.integer(1)),
          stage: try row.choice(2)))
    }
    return periods
  }

  // MARK: - Epochs

  /// Stores movement, in place of that of the same epochs. Throws `sessionNotFound`.
  package func store(_ epochs: [MovementEpoch], of sessionID: String) throws(RepositoryError) {
    try database.write { db in
      try MovementTable(db: db, key: try SessionTable(db: db).key(of: sessionID)).store(epochs)
    }
  }

  /// Returns the movement of a session in order. Throws `sessionNotFound`.
  package func movement(of sessionID: String) throws(RepositoryError) -> [MovementEpoch] {
    try database.read { db in
      try rows(db, "SELECT time_us, intensity, coverage FROM movement WHERE session = ? ORDER BY time_us", sessionID) {
        MovementEpoch(
          time: MonotonicTime(microseconds: try $0.integer(0)), intensity: try $0.real(1), coverage: try $0.real(2))
      }
    }
  }

  /// Stores sound levels, in place of those of the same epochs. Throws `sessionNotFound`.
  package func store(_ samples: [SoundSample], of sessionID: String) throws(RepositoryError) {
    try database.write { db in
      let key = try SessionTable(db: db).key(of: sessionID)
      let statement = try db.cachedStatement(
        sql: "INSERT OR REPLACE INTO sound (session, time_us, level, peak) VALUES (?, ?, ?, ?)")
      for sample in samples {
        try statement.execute(arguments: [key, sample.time.microseconds, sample.level, sample.peak])
      }
    }
  }

  /// Returns the sound levels of a session in order. Throws `sessionNotFound`.
  package func sound(of sessionID: String) throws(RepositoryError) -> [SoundSample] {
    try database.read { db in
      try rows(db, "SELECT time_us, level, peak FROM sound WHERE session = ? ORDER BY time_us", sessionID) {
        SoundSample(time: MonotonicTime(microseconds: try $0.integer(0)), level: try $0.real(1), peak: try $0.real(2))
      }
    }
  }

  private func rows<Value>(
    _ db: Database, _ sql: String, _ sessionID: String, _ value: (RowReader) throws -> Value
  ) throws -> [Value] {
    let key = try SessionTable(db: db).key(of: sessionID)
    let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: [key])
    var values: [Value] = []
    while let row = try rows.next() { values.append(try value(RowReader(row: row))) }
    return values
  }
}
