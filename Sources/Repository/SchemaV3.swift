/// The third version of the schema: the results of artifact correction. It is released and never changes.
enum SchemaV3 {
  static let artifacts = """
    -- Beats whose interval is not what it seems, and how many intervals of which length in ms stand in its place.
    CREATE TABLE artifact (
      session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
      beat INTEGER NOT NULL,
      class TEXT NOT NULL CHECK (class IN ('ectopic', 'missed', 'extra', 'longShort')),
      replacements INTEGER NOT NULL CHECK (replacements >= 0),
      milliseconds REAL NOT NULL CHECK (milliseconds >= 0),
      PRIMARY KEY (session, beat),
      FOREIGN KEY (session, beat) REFERENCES beat (session, sequence) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    """
}
