/// The sixth version of the schema: sessions whose derived rows are pending. It is released and never changes.
enum SchemaV6 {
  static let pendingDerivations = """
    -- For want of space. What derives from the ledger is to be stored yet, with this metric for HRV in the stress level.
    CREATE TABLE owed (
      session INTEGER PRIMARY KEY REFERENCES session (key) ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK (kind IN ('sdnn', 'rmssd'))
    ) STRICT;
    """
}
