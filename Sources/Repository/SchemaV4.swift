/// The fourth version of the schema: the wearers of straps, and hourly and daily trends. It is released and never changes.
enum SchemaV4 {
  static let station = """
    ALTER TABLE known_strap ADD COLUMN person INTEGER REFERENCES person (id) ON DELETE SET NULL;
    ALTER TABLE known_strap ADD COLUMN label TEXT CHECK (label <> '');

    CREATE INDEX session_by_start ON session (start_us);
    CREATE INDEX session_by_person ON session (person, start_us);

    -- What an hour of UTC, or a day where the station is, amounts to; person 0 is no person. It outlives what
    -- it was computed from, where a policy deletes that. A day's row is void where its start is no midnight any more.
    CREATE TABLE rollup (
      person INTEGER NOT NULL,
      unit TEXT NOT NULL CHECK (unit IN ('hour', 'day')),
      start_us INTEGER NOT NULL,
      minutes REAL NOT NULL CHECK (minutes > 0),
      mean_heart_rate REAL,
      lowest_heart_rate REAL,
      sdnn REAL,
      rmssd REAL,
      stress REAL,
      highest_stress REAL,
      PRIMARY KEY (person, unit, start_us)
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER rollup_of_deleted_person AFTER DELETE ON person
    BEGIN
      DELETE FROM rollup WHERE person = old.id;
      DELETE FROM rollup_pending WHERE person = old.id;
    END;

    -- Hours of UTC, since 1970, of which windows have come or gone since they were computed.
    CREATE TABLE rollup_pending (
      person INTEGER NOT NULL,
      hour INTEGER NOT NULL,
      PRIMARY KEY (person, hour)
    ) STRICT, WITHOUT ROWID;

    -- Windows are placed on the clock by the start of their session.
    CREATE TRIGGER rollup_is_pending AFTER INSERT ON hrv_window WHEN new.length = 300
    BEGIN
      INSERT OR IGNORE INTO rollup_pending
        SELECT coalesce(person, 0), (start_us + new.end_us - start_monotonic_us) / 3600000000
        FROM session WHERE key = new.session;
    END;

    INSERT OR IGNORE INTO rollup_pending
      SELECT coalesce(person, 0), (start_us + end_us - start_monotonic_us) / 3600000000
      FROM hrv_window JOIN session ON session.key = hrv_window.session WHERE length = 300;
    """
}
