/// The ninth version of the schema: nights, and what straps send beside the heart rate. It is released and never changes.
enum SchemaV9 {
  static let sensors = """
    -- What a strap sent beside its heart rate, as it was received. kind: 0 frame, 1 stream started (a byte with the length of the
    -- request, the request, the response), 2 stream ended by the strap. Deleted as a whole after some days.
    CREATE TABLE sensor_entry (
      session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      link INTEGER NOT NULL,
      kind INTEGER NOT NULL CHECK (kind IN (0, 1, 2)),
      monotonic_us INTEGER NOT NULL,
      wall_us INTEGER NOT NULL,
      value BLOB NOT NULL,
      PRIMARY KEY (session, sequence)
    ) STRICT, WITHOUT ROWID;
    """

  static let nights = """
    -- Epochs of 30 s. Intensity in milli-g.
    CREATE TABLE movement (
      session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
      time_us INTEGER NOT NULL,
      intensity REAL NOT NULL CHECK (intensity >= 0),
      coverage REAL NOT NULL CHECK (coverage BETWEEN 0 AND 1),
      PRIMARY KEY (session, time_us)
    ) STRICT, WITHOUT ROWID;

    -- Epochs of 30 s. Levels in dB(A) relative to full scale.
    CREATE TABLE sound (
      session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
      time_us INTEGER NOT NULL,
      level REAL NOT NULL,
      peak REAL NOT NULL,
      PRIMARY KEY (session, time_us)
    ) STRICT, WITHOUT ROWID;

    -- The sessions in which a person slept. Times are on the axis of the ledger of the session. Heart rates in bpm, RMSSD in ms,
    -- null where nothing is known or the stages were not estimated yet.
    CREATE TABLE sleep_session (
      session INTEGER PRIMARY KEY REFERENCES session (key) ON DELETE CASCADE,
      origin TEXT NOT NULL CHECK (origin IN ('page', 'command', 'automatic', 'file')),
      lights_off_us INTEGER NOT NULL,
      lights_on_us INTEGER CHECK (lights_on_us >= lights_off_us),
      estimator TEXT CHECK (estimator <> ''),
      lowest_heart_rate REAL,
      mean_heart_rate REAL,
      rmssd REAL
    ) STRICT;

    CREATE TABLE sleep_stage (
      session INTEGER NOT NULL REFERENCES sleep_session (session) ON DELETE CASCADE,
      start_us INTEGER NOT NULL,
      end_us INTEGER NOT NULL CHECK (end_us > start_us),
      stage TEXT NOT NULL CHECK (stage IN ('wake', 'light', 'deep', 'rem', 'nrem', 'asleep', 'unknown')),
      PRIMARY KEY (session, start_us)
    ) STRICT, WITHOUT ROWID;
    """
}
