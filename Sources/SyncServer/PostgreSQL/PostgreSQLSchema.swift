/// The schema of the database of a sync server in PostgreSQL 15.
enum PostgreSQLSchema {
  private static let version: Int64 = 1
  /// The number of the lock under which the schema is made.
  private static let lock = 0x7461_6368

  /// Makes the schema in the first schema of the search path, unless it is there.
  static func migrate(_ connection: PostgreSQLConnection) throws {
    try connection.command("BEGIN; SELECT pg_advisory_xact_lock(\(lock))")
    try connection.command("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)")
    let found = try connection.rows("SELECT version FROM schema_version", []).first?[0].integer
    guard found ?? 0 <= version else {
      try connection.command("ROLLBACK")
      throw SyncStorageFailure.newerSchema
    }
    if found == nil {
      try connection.command(first)
      _ = try connection.run("INSERT INTO schema_version (version) VALUES ($1)", [.integer(version)])
    }
    try connection.command("COMMIT")
  }

  /// `space.changes` counts the changes of a space; `log.changed` is that count at the last change of a log. Objects are encrypted, which
  /// compression does not make shorter.
  private static let first = """
    CREATE TABLE token (
      digest BYTEA PRIMARY KEY CHECK (length(digest) = 32),
      name TEXT NOT NULL UNIQUE,
      quota BIGINT CHECK (quota >= 0),
      created BIGINT NOT NULL,
      space BYTEA CHECK (length(space) = 32)
    );
    CREATE TABLE space (
      id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      digest BYTEA NOT NULL UNIQUE CHECK (length(digest) = 32),
      bytes BIGINT NOT NULL DEFAULT 0 CHECK (bytes >= 0),
      changes BIGINT NOT NULL DEFAULT 0 CHECK (changes >= 0),
      head BYTEA CHECK (length(head) = 32)
    );
    CREATE TABLE log (
      id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      space BIGINT NOT NULL REFERENCES space,
      station BYTEA NOT NULL CHECK (length(station) = 32),
      kind TEXT COLLATE "C" NOT NULL,
      changed BIGINT NOT NULL,
      UNIQUE (space, station, kind)
    );
    CREATE TABLE object (
      log BIGINT NOT NULL REFERENCES log,
      sequence BIGINT NOT NULL CHECK (sequence > 0),
      bytes BYTEA NOT NULL,
      PRIMARY KEY (log, sequence)
    );
    ALTER TABLE object ALTER COLUMN bytes SET STORAGE EXTERNAL;
    """
}
