/// The seventh version of the schema: the installation that recorded a session. It is released and never changes.
enum SchemaV7 {
  static let devices = """
    -- The identifier of the installation that heard the session; null for what comes from a capture or a file, and where it is
    -- not known. 'live': this one, before installations had identifiers.
    ALTER TABLE session ADD COLUMN device_id TEXT CHECK (device_id <> '');
    UPDATE session SET device_id = 'live' WHERE origin = 'live' AND made_from IS NULL;
    CREATE INDEX session_without_device ON session (device_id) WHERE device_id = 'live';
    """
}
