/// The eighth version of the schema: notes, markers and readings. It is released and never changes.
enum SchemaV8 {
  static let annotations = """
    ALTER TABLE session ADD COLUMN note TEXT CHECK (note <> '');

    -- Instants that people named, on the axis of the ledger of their session.
    CREATE TABLE marker (
      key INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36 AND id NOT GLOB '*[^0-9a-f-]*'),
      session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
      time_us INTEGER NOT NULL,
      text TEXT NOT NULL CHECK (text <> '')
    ) STRICT;

    CREATE INDEX marker_by_session ON marker (session, time_us);
    """

  static let readings = """
    -- Measurements of some minutes that a person began. Metrics are in the units of hrv_window, null where a minimum was not met.
    CREATE TABLE reading (
      key INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36 AND id NOT GLOB '*[^0-9a-f-]*'),
      kind TEXT NOT NULL CHECK (kind IN ('morning', 'spot')),
      person INTEGER REFERENCES person (id) ON DELETE CASCADE,
      -- The history of a person outlives the recordings that it came from.
      session INTEGER REFERENCES session (key) ON DELETE SET NULL,
      start_us INTEGER NOT NULL,
      duration_us INTEGER NOT NULL CHECK (duration_us > 0),
      coverage REAL NOT NULL CHECK (coverage >= 0),
      artifact_share REAL NOT NULL CHECK (artifact_share >= 0),
      count INTEGER NOT NULL CHECK (count >= 0),
      mean_heart_rate REAL,
      sdnn REAL,
      rmssd REAL
    ) STRICT;

    CREATE INDEX reading_by_time ON reading (person, start_us);
    CREATE INDEX reading_by_session ON reading (session) WHERE session IS NOT NULL;
    """
}
