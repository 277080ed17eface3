/// The first version of the schema. It is released and never changes.
///
/// The large tables have no rowid: their rows are ordered by (session, sequence), and nothing is stored twice. A night
/// with 30 000 entries and 35 000 beats takes 2 MB. In these tables `session.key` replaces the identifier of 36 characters.
///
/// Derived tables refer to the session as well as to the ledger and follow the ledger, so that deleting a session empties them
/// first. Otherwise each deleted entry would be searched for in its beats.
enum SchemaV1 {
  /// Persons, straps, sessions, and received notifications.
  static let sessions = """
    CREATE TABLE person (
      id INTEGER PRIMARY KEY CHECK (id > 0),
      name TEXT NOT NULL UNIQUE CHECK (name <> '')
    ) STRICT;

    CREATE TABLE strap (
      id INTEGER PRIMARY KEY,
      address TEXT NOT NULL CHECK (length(address) = 17),
      kind INTEGER NOT NULL CHECK (kind IN (0, 1)),
      UNIQUE (address, kind)
    ) STRICT;

    CREATE TABLE session (
      key INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36 AND id NOT GLOB '*[^0-9a-f-]*'),
      -- Forgetting a strap must not delete what was heard from it.
      strap INTEGER NOT NULL REFERENCES strap (id),
      person INTEGER REFERENCES person (id) ON DELETE CASCADE,
      origin TEXT NOT NULL CHECK (origin IN ('live', 'replay')),
      start_us INTEGER NOT NULL,
      start_monotonic_us INTEGER NOT NULL,
      is_complete INTEGER NOT NULL CHECK (is_complete IN (0, 1))
    ) STRICT;

    CREATE TABLE session_characteristic (
      session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
      uuid INTEGER NOT NULL CHECK (uuid BETWEEN 0 AND 65535),
      value BLOB NOT NULL,
      PRIMARY KEY (session, uuid)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE link (
      session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
      number INTEGER NOT NULL CHECK (number >= 0),
      boot_id TEXT,
      handle INTEGER NOT NULL CHECK (handle BETWEEN 0 AND 65535),
      handle_source TEXT NOT NULL CHECK (handle_source IN ('discovered', 'inherited', 'inferred', 'given')),
      PRIMARY KEY (session, number)
    ) STRICT, WITHOUT ROWID;

    -- kind 0: a notification, its bytes in value; kind 1: the link went down, the HCI error code in reason.
    CREATE TABLE ledger (
      session INTEGER NOT NULL,
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      link INTEGER NOT NULL,
      kind INTEGER NOT NULL CHECK (kind IN (0, 1)),
      monotonic_us INTEGER NOT NULL,
      wall_us INTEGER NOT NULL,
      reason INTEGER CHECK (reason BETWEEN 0 AND 255),
      value BLOB,
      PRIMARY KEY (session, sequence),
      FOREIGN KEY (session, link) REFERENCES link (session, number) ON DELETE CASCADE,
      CHECK ((kind = 0) = (value IS NOT NULL) AND (kind = 1) = (reason IS NOT NULL))
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER ledger_is_never_rewritten BEFORE UPDATE ON ledger
    BEGIN
      SELECT RAISE(ABORT, 'the ledger is never rewritten');
    END;
    """

  /// The rows that are derived from the ledger, and can be derived again.
  static let derived = """
    CREATE TABLE beat (
      session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      time_us INTEGER NOT NULL,
      ticks INTEGER NOT NULL CHECK (ticks BETWEEN 0 AND 65535),
      ledger_sequence INTEGER NOT NULL,
      marks INTEGER NOT NULL CHECK (marks BETWEEN 0 AND 255),
      PRIMARY KEY (session, sequence),
      FOREIGN KEY (session, ledger_sequence) REFERENCES ledger (session, sequence) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE gap (
      session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      start_us INTEGER NOT NULL,
      end_us INTEGER NOT NULL,
      reason TEXT NOT NULL CHECK (reason IN ('linkDown', 'lost', 'overlap')),
      ledger_sequence INTEGER NOT NULL,
      PRIMARY KEY (session, sequence),
      FOREIGN KEY (session, ledger_sequence) REFERENCES ledger (session, sequence) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    -- Lengths in s, duration in ms; metrics in the units of HRVValues, null where a minimum was not met.
    CREATE TABLE hrv_window (
      session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
      length INTEGER NOT NULL CHECK (length > 0),
      end_us INTEGER NOT NULL,
      coverage REAL NOT NULL CHECK (coverage >= 0),
      artifact_share REAL NOT NULL CHECK (artifact_share >= 0),
      count INTEGER NOT NULL CHECK (count >= 0),
      pair_count INTEGER NOT NULL CHECK (pair_count >= 0),
      duration REAL NOT NULL CHECK (duration >= 0),
      mean_nn REAL,
      mean_heart_rate REAL,
      sdnn REAL,
      rmssd REAL,
      ln_rmssd REAL,
      sdsd REAL,
      pnn50 REAL,
      pnn20 REAL,
      sd1 REAL,
      sd2 REAL,
      PRIMARY KEY (session, length, end_us)
    ) STRICT, WITHOUT ROWID;
    """

  /// The data of a person rather than of a session.
  static let stress = """
    CREATE TABLE stress_measurement (
      key INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36 AND id NOT GLOB '*[^0-9a-f-]*'),
      timestamp_us INTEGER NOT NULL,
      level REAL NOT NULL CHECK (level BETWEEN 0 AND 100),
      category TEXT NOT NULL CHECK (category IN ('relaxed', 'mild', 'moderate', 'high')),
      confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
      hrv REAL NOT NULL CHECK (hrv >= 0),
      kind TEXT NOT NULL CHECK (kind IN ('sdnn', 'rmssd')),
      heart_rate REAL NOT NULL CHECK (heart_rate > 0),
      resting_heart_rate REAL NOT NULL CHECK (resting_heart_rate > 0),
      person INTEGER REFERENCES person (id) ON DELETE CASCADE,
      -- The history of a person outlives the recordings that it came from.
      session INTEGER REFERENCES session (key) ON DELETE SET NULL,
      device_id TEXT NOT NULL,
      is_synced INTEGER NOT NULL CHECK (is_synced IN (0, 1)),
      modified_us INTEGER NOT NULL,
      is_deleted INTEGER NOT NULL CHECK (is_deleted IN (0, 1))
    ) STRICT;

    CREATE INDEX stress_measurement_by_time ON stress_measurement (person, kind, timestamp_us) WHERE is_deleted = 0;
    CREATE INDEX stress_measurement_by_session ON stress_measurement (session) WHERE session IS NOT NULL;

    -- hourly: a JSON object of HRV in ms by hour, {"0": 51.5, "23": 60}.
    CREATE TABLE baseline (
      key INTEGER PRIMARY KEY,
      person INTEGER REFERENCES person (id) ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK (kind IN ('sdnn', 'rmssd')),
      resting_heart_rate REAL NOT NULL CHECK (resting_heart_rate > 0),
      baseline_hrv REAL NOT NULL CHECK (baseline_hrv > 0),
      sample_count INTEGER NOT NULL CHECK (sample_count >= 0),
      is_personal INTEGER NOT NULL CHECK (is_personal IN (0, 1)),
      hourly TEXT NOT NULL CHECK (hourly GLOB '{*}'),
      updated_us INTEGER NOT NULL
    ) STRICT;

    -- Nulls are distinct to UNIQUE, and there is one baseline of nobody: 0 stands for the person who was not named.
    CREATE UNIQUE INDEX baseline_of_person ON baseline (coalesce(person, 0), kind);
    """
}
