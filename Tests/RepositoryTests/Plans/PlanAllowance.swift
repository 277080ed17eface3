/// A statement that may read or sort more than it finds by a key, and why.
struct PlanAllowance {
  /// A part of its text.
  let statement: String
  /// The lines of its plan that are allowed.
  let lines: [String]
  let reason: String

  static let all = [
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
}
