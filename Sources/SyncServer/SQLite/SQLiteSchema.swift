import GRDB

/// The schema of the database of a sync server in SQLite.
enum SQLiteSchema {
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in try db.execute(sql: first) }
    return migrator
  }()

  /// `space.changes` counts the changes of a space; `log.changed` is that count at the last change of a log.
  private static let first = """
    CREATE TABLE token (
      digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
      name TEXT NOT NULL UNIQUE,
      quota INTEGER CHECK (quota >= 0),
      created INTEGER NOT NULL,
      space BLOB CHECK (length(space) = 32)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE space (
      id INTEGER PRIMARY KEY,
      digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
      bytes INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0),
      changes INTEGER NOT NULL DEFAULT 0 CHECK (changes >= 0),
      head BLOB CHECK (length(head) = 32)
    ) STRICT;
    CREATE TABLE log (
      id INTEGER PRIMARY KEY,
      space INTEGER NOT NULL REFERENCES space,
      station BLOB NOT NULL CHECK (length(station) = 32),
      kind TEXT NOT NULL,
      changed INTEGER NOT NULL,
      UNIQUE (space, station, kind)
    ) STRICT;
    CREATE TABLE object (
      log INTEGER NOT NULL REFERENCES log,
      sequence INTEGER NOT NULL CHECK (sequence > 0),
      bytes BLOB NOT NULL,
      UNIQUE (log, sequence)
    ) STRICT;
    """
}
