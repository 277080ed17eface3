/// The twelfth version of the schema: what the last synchronisation found, and straps that were added. It is released and never
/// changes.
enum SchemaV12 {
  static let findings = """
    -- What is wrong with logs in the store, as far as only their chunks show it. kind 0: a chunk that was refused, with the
    -- reason; it is kept until a person accepts it. Others are replaced at each synchronisation.
    CREATE TABLE sync_finding (
      number INTEGER PRIMARY KEY,
      kind INTEGER NOT NULL,
      station BLOB NOT NULL CHECK (length(station) = 32),
      -- Ranges of places in the log, as 1-3,7-7.
      sequences TEXT NOT NULL,
      since_us INTEGER,
      witness BLOB,
      reason TEXT
    ) STRICT;
    """

  static let edits = """
    CREATE INDEX sync_edit_by_chunk ON sync_edit (sequence) WHERE sequence IS NOT NULL;
    """

  static let straps = """
    -- A strap that is added has the name and the owner that others gave it, unless they were entered here.
    DROP TRIGGER sync_known_strap_added;
    CREATE TRIGGER sync_known_strap_added AFTER INSERT ON known_strap
    WHEN EXISTS (SELECT 1 FROM sync_space)
    BEGIN
      DELETE FROM sync_change WHERE kind = 68 AND target = (SELECT address || '/' || kind FROM strap WHERE id = new.strap);
      INSERT OR IGNORE INTO sync_change (kind, target, time_us)
      SELECT 68, (SELECT address || '/' || kind FROM strap WHERE id = new.strap),
        CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)
      WHERE (SELECT address || '/' || kind FROM strap WHERE id = new.strap) IS NOT NULL;
    END;
    """
}
