/// The tenth version of the schema: frames of pulse intervals in the ledger. It is released and never changes.
enum SchemaV10 {
  static let pulseIntervals = """
    -- The ledger has a third kind of entries, whose bytes are in value: 2 a frame of pulse intervals. Only its checks change, in its
    -- definition: copying the ledger would take its size in free space, and wear cards (docs/adr/0029-pulse-intervals.md). SQLite
    -- documents this for checks: https://sqlite.org/lang_altertable.html#otheralter
    PRAGMA writable_schema = ON;

    UPDATE sqlite_schema SET sql = replace(replace(sql,
      'CHECK (kind IN (0, 1))', 'CHECK (kind IN (0, 1, 2))'),
      'CHECK ((kind = 0) = (value IS NOT NULL) AND (kind = 1) = (reason IS NOT NULL))',
      'CHECK ((kind <> 1) = (value IS NOT NULL) AND (kind = 1) = (reason IS NOT NULL))')
    WHERE type = 'table' AND name = 'ledger';

    PRAGMA writable_schema = RESET;

    -- Each change of tables tells other connections to read the definitions again; this one is made for that alone.
    CREATE TABLE changed_definition (unused INTEGER) STRICT;
    DROP TABLE changed_definition;
    """
}
