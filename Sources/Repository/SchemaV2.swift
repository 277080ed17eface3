/// The second version of the schema: paired straps and labels of sessions. It is released and never changes.
enum SchemaV2 {
  static let straps = """
    -- The straps that a person paired: the only ones that are listened to without being named.
    CREATE TABLE known_strap (
      strap INTEGER PRIMARY KEY REFERENCES strap (id),
      -- What the person calls it, told apart from all others.
      name TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (name <> ''),
      -- What it calls itself; for straps whose random address changes.
      advertised_name TEXT,
      is_bonded INTEGER NOT NULL CHECK (is_bonded IN (0, 1)),
      added_us INTEGER NOT NULL
    ) STRICT;

    ALTER TABLE session ADD COLUMN label TEXT CHECK (label <> '');
    """
}
