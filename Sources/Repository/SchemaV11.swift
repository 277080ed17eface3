/// The eleventh version of the schema: the state of synchronisation. It is released and never changes.
///
/// Identifiers of spaces and stations, and digests, have 32 bytes. Stations have short numbers, because each chunk refers to one.
enum SchemaV11 {
  static let state = """
    -- The space whose member this station is: no row, or one. The clock is that of edits.
    CREATE TABLE sync_space (
      key INTEGER PRIMARY KEY CHECK (key = 1),
      space BLOB NOT NULL CHECK (length(space) = 32),
      station BLOB NOT NULL CHECK (length(station) = 32),
      store TEXT NOT NULL CHECK (store <> ''),
      -- What this station is called in the space.
      name TEXT NOT NULL CHECK (name <> ''),
      generation INTEGER NOT NULL CHECK (generation >= 0),
      clock_us INTEGER NOT NULL,
      clock_counter INTEGER NOT NULL CHECK (clock_counter >= 0),
      synchronised_us INTEGER,
      -- Why the last synchronisation failed.
      problem TEXT,
      -- Counts changes of the state, so that a process notices those of others.
      revision INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE sync_member_record (
      digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
      bytes BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- The logs. state: what members have seen of the log, accepted losses, deleted bodies, and chunks to be read again.
    CREATE TABLE sync_log (
      station INTEGER PRIMARY KEY,
      id BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
      state BLOB NOT NULL,
      -- The last chunk of the log that a chunk of this station has stated.
      carried INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    -- The headers that were verified.
    CREATE TABLE sync_chunk (
      station INTEGER NOT NULL REFERENCES sync_log (station) ON DELETE CASCADE,
      sequence INTEGER NOT NULL CHECK (sequence > 0),
      digest BLOB NOT NULL,
      previous BLOB NOT NULL,
      epoch INTEGER NOT NULL,
      sealed_us INTEGER,
      has_body INTEGER NOT NULL CHECK (has_body IN (0, 1)),
      PRIMARY KEY (station, sequence)
    ) STRICT, WITHOUT ROWID;

    -- The chunks of this station. envelope: the sealed chunk, until all readers have it. session: whose data is in it.
    CREATE TABLE sync_sealed (
      sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
      kind INTEGER NOT NULL,
      session TEXT,
      envelope BLOB,
      is_uploaded INTEGER NOT NULL CHECK (is_uploaded IN (0, 1)),
      -- Whether the body is still to be deleted in the store.
      is_dropped INTEGER NOT NULL DEFAULT 0 CHECK (is_dropped IN (0, 1))
    ) STRICT;
    CREATE INDEX sync_sealed_by_session ON sync_sealed (session) WHERE session IS NOT NULL;
    CREATE INDEX sync_sealed_to_upload ON sync_sealed (sequence) WHERE is_uploaded = 0 OR is_dropped = 1;
    """

  static let progress = """
    -- What is sealed of each session. station: the one whose log the session came from, null for sessions of this station.
    CREATE TABLE sync_session (
      session INTEGER PRIMARY KEY REFERENCES session (key) ON DELETE CASCADE,
      station INTEGER REFERENCES sync_log (station) ON DELETE SET NULL,
      sealed_count INTEGER NOT NULL CHECK (sealed_count >= 0),
      is_over INTEGER NOT NULL CHECK (is_over IN (0, 1))
    ) STRICT;

    -- The stress levels in chunks that are not uploaded yet, as they were sealed.
    CREATE TABLE sync_sealed_stress (
      measurement INTEGER PRIMARY KEY REFERENCES stress_measurement (key) ON DELETE CASCADE,
      modified_us INTEGER NOT NULL,
      sequence INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX sync_sealed_stress_by_chunk ON sync_sealed_stress (sequence);
    CREATE INDEX stress_measurement_to_sync ON stress_measurement (key) WHERE is_synced = 0;

    -- What people entered. field 0: the target is deleted. Times are those of hybrid clocks.
    CREATE TABLE sync_edit (
      kind INTEGER NOT NULL,
      target TEXT NOT NULL,
      field INTEGER NOT NULL,
      wall_us INTEGER NOT NULL,
      counter INTEGER NOT NULL,
      station INTEGER NOT NULL REFERENCES sync_log (station) ON DELETE CASCADE,
      value TEXT,
      -- The own chunk in which it was sealed, null for edits of others.
      sequence INTEGER,
      PRIMARY KEY (kind, target, field, wall_us, counter, station)
    ) STRICT, WITHOUT ROWID;

    -- What changed since it was sealed; kinds are those of edits, 64 for nights and movement, 65 for
    -- sessions whose own chunks are to be deleted in the store, 66 for sessions that are over, 67 for
    -- sessions that other stations deleted while they are recorded here.
    -- A change that follows has another number, so that only what was read is deleted.
    CREATE TABLE sync_change (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      kind INTEGER NOT NULL,
      target TEXT NOT NULL,
      time_us INTEGER NOT NULL,
      UNIQUE (kind, target)
    ) STRICT;

    -- Sessions that a policy deleted here. Other stations keep them.
    CREATE TABLE sync_expired (
      session TEXT PRIMARY KEY
    ) STRICT, WITHOUT ROWID;
    """

  static let changes = """
    -- What changes is noted, whoever changes it, while the station is a member of a space. A trigger that could fail would make
    -- SQLite keep the pages that each statement changes in a temporary file, for which a full disk has no room: thus OR IGNORE, and
    -- no function where many rows may be deleted. Time 0 stands for the time of sealing; deletions do not depend on it.
    CREATE TRIGGER sync_session_changed AFTER UPDATE OF person, label, note ON session
    WHEN EXISTS (SELECT 1 FROM sync_space)
      AND (new.person IS NOT old.person OR new.label IS NOT old.label OR new.note IS NOT old.note)
    BEGIN
      DELETE FROM sync_change WHERE kind = 1 AND target = new.id;
      INSERT OR IGNORE INTO sync_change (kind, target, time_us)
      SELECT 1, new.id,
        CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER);
    END;

    CREATE TRIGGER sync_session_ended AFTER UPDATE OF is_complete ON session
    WHEN EXISTS (SELECT 1 FROM sync_space) AND new.is_complete = 1 AND old.is_complete = 0
    BEGIN
      DELETE FROM sync_change WHERE kind = 66 AND target = new.id;
      INSERT OR IGNORE INTO sync_change (kind, target, time_us)
      SELECT 66, new.id, 0;
    END;

    CREATE TRIGGER sync_session_deleted AFTER DELETE ON session
    WHEN EXISTS (SELECT 1 FROM sync_space) AND NOT EXISTS (SELECT 1 FROM sync_expired WHERE session = old.id)
    BEGIN
      DELETE FROM sync_change WHERE kind = 1 AND target = old.id;
      INSERT OR IGNORE INTO sync_change (kind, target, time_us)
      SELECT 1, old.id, 0;
    END;

    CREATE TRIGGER sync_known_strap_added AFTER INSERT ON known_strap
    WHEN EXISTS (SELECT 1 FROM sync_space)
    BEGIN
      DELETE FROM sync_change WHERE kind = 2 AND target = (SELECT address || '/' || kind FROM strap WHERE id = new.strap);
      INSERT OR IGNORE INTO sync_change (kind, target, time_us)
      SELECT 2, (SELECT address || '/' || kind FROM strap WHERE id = new.strap),
        CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)
      WHERE (SELECT address || '/' || kind FROM strap WHERE id = new.strap) IS NOT NULL;
    END;

    CREATE TRIGGER sync_known_strap_changed AFTER UPDATE OF name, person ON known_strap
    WHEN EXISTS (SELECT 1 FROM sync_space) AND (new.name IS NOT old.name OR new.person IS NOT old.person)
    BEGIN
      DELETE FROM sync_change WHERE kind = 2 AND target = (SELECT address || '/' || kind FROM strap WHERE id = new.strap);
      INSERT OR IGNORE INTO sync_change (kind, target, time_us)
      SELECT 2, (SELECT address || '/' || kind FROM strap WHERE id = new.strap),
        CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)
      WHERE (SELECT address || '/' || kind FROM strap WHERE id = new.strap) IS NOT NULL;
    END;

    CREATE TRIGGER sync_stress_measurement_deleted AFTER UPDATE OF is_deleted ON stress_measurement
    WHEN EXISTS (SELECT 1 FROM sync_space) AND new.is_deleted = 1 AND old.is_deleted = 0
    BEGIN
      DELETE FROM sync_change WHERE kind = 4 AND target = new.id;
      INSERT OR IGNORE INTO sync_change (kind, target, time_us)
      SELECT 4, new.id, 0;
    END;

    CREATE TRIGGER sync_marker_added AFTER INSERT ON marker
    WHEN EXISTS (SELECT 1 FROM sync_space)
    BEGIN
      DELETE FROM sync_change WHERE kind = 6 AND target = new.id;
      INSERT OR IGNORE INTO sync_change (kind, target, time_us)
      SELECT 6, new.id,
        CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER);
    END;

    CREATE TRIGGER sync_marker_changed AFTER UPDATE OF text, time_us, session ON marker
    WHEN EXISTS (SELECT 1 FROM sync_space)
    BEGIN
      DELETE FROM sync_change WHERE kind = 6 AND target = new.id;
      INSERT OR IGNORE INTO sync_change (kind, target, time_us)
      SELECT 6, new.id,
        CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER);
    END;

    CREATE TRIGGER sync_marker_deleted AFTER DELETE ON marker
    WHEN EXISTS (SELECT 1 FROM sync_space)
    BEGIN
      DELETE FROM sync_change WHERE kind = 6 AND target = old.id;
      INSERT OR IGNORE INTO sync_change (kind, target, time_us)
      SELECT 6, old.id, 0;
    END;

    CREATE TRIGGER sync_reading_added AFTER INSERT ON reading
    WHEN EXISTS (SELECT 1 FROM sync_space)
    BEGIN
      DELETE FROM sync_change WHERE kind = 7 AND target = new.id;
      INSERT OR IGNORE INTO sync_change (kind, target, time_us)
      SELECT 7, new.id, 0;
    END;

    CREATE TRIGGER sync_reading_deleted AFTER DELETE ON reading
    WHEN EXISTS (SELECT 1 FROM sync_space)
    BEGIN
      DELETE FROM sync_change WHERE kind = 7 AND target = old.id;
      INSERT OR IGNORE INTO sync_change (kind, target, time_us)
      SELECT 7, old.id, 0;
    END;

    CREATE TRIGGER sync_sleep_session_added AFTER INSERT ON sleep_session
    WHEN EXISTS (SELECT 1 FROM sync_space)
    BEGIN
      DELETE FROM sync_change WHERE kind = 64 AND target = (SELECT id FROM session WHERE key = new.session);
      INSERT OR IGNORE INTO sync_change (kind, target, time_us)
      SELECT 64, (SELECT id FROM session WHERE key = new.session), 0
      WHERE (SELECT id FROM session WHERE key = new.session) IS NOT NULL;
    END;

    CREATE TRIGGER sync_sleep_session_changed AFTER UPDATE ON sleep_session
    WHEN EXISTS (SELECT 1 FROM sync_space)
    BEGIN
      DELETE FROM sync_change WHERE kind = 64 AND target = (SELECT id FROM session WHERE key = new.session);
      INSERT OR IGNORE INTO sync_change (kind, target, time_us)
      SELECT 64, (SELECT id FROM session WHERE key = new.session), 0
      WHERE (SELECT id FROM session WHERE key = new.session) IS NOT NULL;
    END;

    CREATE TRIGGER sync_sleep_session_deleted AFTER DELETE ON sleep_session
    WHEN EXISTS (SELECT 1 FROM sync_space)
    BEGIN
      DELETE FROM sync_change WHERE kind = 64 AND target = (SELECT id FROM session WHERE key = old.session);
      INSERT OR IGNORE INTO sync_change (kind, target, time_us)
      SELECT 64, (SELECT id FROM session WHERE key = old.session), 0
      WHERE (SELECT id FROM session WHERE key = old.session) IS NOT NULL;
    END;

    CREATE TRIGGER sync_sleep_stage_added AFTER INSERT ON sleep_stage
    WHEN EXISTS (SELECT 1 FROM sync_space)
    BEGIN
      DELETE FROM sync_change WHERE kind = 64 AND target = (SELECT id FROM session WHERE key = new.session);
      INSERT OR IGNORE INTO sync_change (kind, target, time_us)
      SELECT 64, (SELECT id FROM session WHERE key = new.session), 0
      WHERE (SELECT id FROM session WHERE key = new.session) IS NOT NULL;
    END;

    CREATE TRIGGER sync_movement_added AFTER INSERT ON movement
    WHEN EXISTS (SELECT 1 FROM sync_space)
    BEGIN
      DELETE FROM sync_change WHERE kind = 64 AND target = (SELECT id FROM session WHERE key = new.session);
      INSERT OR IGNORE INTO sync_change (kind, target, time_us)
      SELECT 64, (SELECT id FROM session WHERE key = new.session), 0
      WHERE (SELECT id FROM session WHERE key = new.session) IS NOT NULL;
    END;
    """
}
