/// A statement that may read or sort more than it finds by a key, and why.
struct PlanAllowance {
  /// A part of its text.
  let statement: String
  /// The lines of its plan that are allowed.
  let lines: [String]
  let reason: String

  static let all = ofSessions + ofSynchronisation

  private static let ofSessions = [
    PlanAllowance(
      statement: "WHERE TRUE ORDER BY session.start_us DESC",
      lines: ["SCAN session USING INDEX session_by_start"],
      reason: "all sessions are listed: a row each, and no row of what they hold"),
    PlanAllowance(
      statement: "FROM session JOIN strap ON strap.id = session.strap WHERE TRUE",
      lines: ["SCAN session"],
      reason: "all sessions, or those of a strap, are deleted or looked at by a policy: no index leads to them"),
    PlanAllowance(
      statement: "FROM session WHERE TRUE", lines: ["SCAN session USING COVERING INDEX session_by_person"],
      reason: "what is stored of everybody is deleted: the time of each session counts"),
    PlanAllowance(
      statement: "DELETE FROM strap WHERE id NOT IN", lines: ["SCAN session", "UNION USING TEMP B-TREE"],
      reason: "once a deletion, over sessions alone; what is sorted are the keys of straps, which are few"),
    PlanAllowance(
      statement: "session IS NULL AND (? IS NULL OR person = ?)",
      lines: [
        "SCAN stress_measurement", "SCAN stress_measurement USING INDEX stress_measurement_by_time", "SCAN reading",
      ],
      reason: "once a deletion: no index has the levels and readings of no session, and those that a person deleted"),
    PlanAllowance(
      statement: "DELETE FROM person", lines: ["SCAN stress_measurement"],
      reason: "a person is forgotten, and no index has the levels that were deleted before"),
    PlanAllowance(
      statement: "FROM hrv_window WHERE session = ? ORDER BY end_us, length", lines: ["USE TEMP B-TREE FOR ORDER BY"],
      reason: "all windows of one session, for an export"),
    PlanAllowance(
      statement: "AND measurement.session = ? ORDER BY", lines: ["USE TEMP B-TREE FOR ORDER BY"],
      reason: "all levels of one session, for its page or an export"),
    PlanAllowance(
      statement: "WHERE reading.session = ? ORDER BY", lines: ["USE TEMP B-TREE FOR ORDER BY"],
      reason: "the readings in one session, which are few"),
    PlanAllowance(
      statement: "FROM session JOIN sleep_session", lines: ["SCAN session USING INDEX session_by_start"],
      reason: "all nights, or those that last: a lookup a session"),
    PlanAllowance(
      statement: "SELECT wall_us FROM sensor_entry WHERE session = session.key",
      lines: ["SCAN session USING COVERING INDEX sqlite_autoindex_session_1"],
      reason: "sensor entries that are to be deleted, once a day: a row and a lookup a session"),
    PlanAllowance(
      statement: "FROM owed CROSS JOIN session", lines: ["USE TEMP B-TREE FOR ORDER BY"],
      reason: "sessions that a full disk kept from being derived, which are few"),
    PlanAllowance(
      statement: "FROM known_strap JOIN strap", lines: ["USE TEMP B-TREE FOR ORDER BY"],
      reason: "the straps that were paired, which are few"),
    PlanAllowance(
      statement: "SELECT session.*, (SELECT max(sequence)", lines: ["SCAN session"],
      reason: "whether anything is new since the last copy, once a day: a row and a lookup a session"),
    PlanAllowance(
      statement: "SELECT * FROM session_characteristic", lines: ["SCAN session_characteristic"],
      reason: "the same: a few rows a session"),
    PlanAllowance(
      statement: "SELECT count(*), max(key), max(modified_us)", lines: ["SCAN stress_measurement"],
      reason: "the same: once a day, and a copy would read much more"),
    PlanAllowance(
      statement: "SELECT * FROM marker ORDER BY key", lines: ["SCAN marker"],
      reason: "the same: a few rows a session"),
    PlanAllowance(
      statement: "SELECT * FROM reading ORDER BY key", lines: ["SCAN reading"], reason: "the same: a few rows a day"),
    PlanAllowance(
      statement: "SELECT * FROM sleep_session ORDER BY session", lines: ["SCAN sleep_session"],
      reason: "the same: a row a night"),
    PlanAllowance(
      statement: "FROM pragma_foreign_key_check",
      lines: ["SCAN pragma_foreign_key_check VIRTUAL TABLE INDEX 0:"],
      reason: "the integrity check reads everything"),
  ]

  private static let ofSynchronisation = [
    PlanAllowance(
      statement: "INSERT OR IGNORE INTO sync_change (kind, target, time_us) SELECT",
      lines: [
        "SCAN session", "SCAN stress_measurement", "SCAN marker", "SCAN reading", "SCAN movement", "SCAN sleep_session",
        "SCAN sync_edit", "SCAN sync_sealed USING INDEX sync_sealed_to_upload", "UNION USING TEMP B-TREE",
      ],
      reason: "all that people entered is sealed, once, when the station becomes a member or a new one"),
    PlanAllowance(
      statement: "UPDATE stress_measurement SET is_synced = 0 WHERE", lines: ["SCAN stress_measurement"],
      reason: "the same, for stress levels"),
    PlanAllowance(
      statement: "FROM stress_measurement AS level LEFT JOIN sync_session",
      lines: ["SCAN level USING INDEX stress_measurement_to_sync"],
      reason: "the index has the levels that are not synchronised alone"),
    PlanAllowance(
      statement: "FROM session LEFT JOIN sync_session",
      lines: ["SCAN session", "SCAN session USING INDEX session_by_start"],
      reason: "what is not sealed, at each synchronisation: a lookup a session"),
    PlanAllowance(
      statement: "FROM sync_change",
      lines: ["SCAN sync_change", "SCAN sync_change USING COVERING INDEX sqlite_autoindex_sync_change_1"],
      reason: "it has what changed since the last synchronisation, and the nights that last"),
    PlanAllowance(
      statement: "FROM sync_finding", lines: ["SCAN sync_finding"],
      reason: "what is wrong with a store: no row as a rule, and few otherwise"),
    PlanAllowance(
      statement: "WHERE is_dropped = 1", lines: ["SCAN sync_sealed USING INDEX sync_sealed_to_upload"],
      reason: "the index has the chunks whose bodies are to be deleted, and those to upload"),
    PlanAllowance(
      statement: "FROM sync_session CROSS JOIN session", lines: ["SCAN sync_session"],
      reason: "a selection was deleted on another station: a pass over the sessions"),
    PlanAllowance(
      statement: "SET station = NULL", lines: ["SCAN sync_session"],
      reason: "a person starts the space again: a pass over the sessions for each former member"),
    PlanAllowance(
      statement: "FROM sync_edit NATURAL JOIN sync_log", lines: ["SCAN sync_edit"],
      reason: "all that people entered is loaded once a process"),
    PlanAllowance(
      statement: "DELETE FROM sync_",
      lines: [
        "SCAN sync_edit", "SCAN sync_session", "SCAN sync_sealed_stress",
        "SCAN sync_sealed USING INDEX sync_sealed_to_upload",
      ],
      reason: "the membership ends or begins again: all of it is deleted"),
    PlanAllowance(
      statement: "WHERE is_uploaded = 0", lines: ["SCAN sync_sealed USING INDEX sync_sealed_to_upload"],
      reason: "the index has the chunks that are not uploaded alone"),
    PlanAllowance(
      statement: "UPDATE sync_sealed SET session = NULL, is_dropped = 0", lines: ["SCAN sync_sealed"],
      reason: "all data of the space is deleted, once"),
  ]
}
