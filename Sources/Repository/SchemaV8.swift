/// The eighth version of the schema: notes and markers. It is released and never changes.
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
}
