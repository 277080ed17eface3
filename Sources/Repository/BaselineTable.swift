import FoundationEssentials
import GRDB
import StressKit
import TachogramCore

/// The baselines of all people and metrics, at most one for each pair.
struct BaselineTable {
  let db: Database

  /// Stores a baseline, replacing the previous one of the same person and metric.
  func store(_ baseline: PersonalBaseline, person: Int64?) throws {
    guard baseline.hourlyHRV.values.allSatisfy(\.isFinite) else {
      throw RepositoryError.unstorable(field: "hourly HRV")
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try db.execute(
      sql: """
        INSERT INTO baseline (
          person, kind, resting_heart_rate, baseline_hrv, sample_count, is_personal, hourly, updated_us)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (coalesce(person, 0), kind) DO UPDATE SET
          resting_heart_rate = excluded.resting_heart_rate, baseline_hrv = excluded.baseline_hrv,
          sample_count = excluded.sample_count, is_personal = excluded.is_personal, hourly = excluded.hourly,
          updated_us = excluded.updated_us
        """,
      arguments: [
        person, baseline.kind.rawValue, baseline.restingHeartRate, baseline.baselineHRV, baseline.sampleCount,
        baseline.isPersonal, String(decoding: try encoder.encode(baseline.hourlyHRV), as: UTF8.self),
        try StoredDate.microseconds(baseline.lastUpdated, field: "date of the baseline"),
      ],
    )
  }

  /// Deletes the baselines of the person of a session, which were computed from that session as well. The component that
  /// maintains them computes them again.
  func delete(ofPersonOf session: Int64) throws {
    try db.execute(
      sql: "DELETE FROM baseline WHERE person IS (SELECT person FROM session WHERE key = ?)", arguments: [session])
  }

  /// Returns the stored baseline, or `nil` if there is none.
  func baseline(person: Int64?, kind: HRVKind) throws -> PersonalBaseline? {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT resting_heart_rate, baseline_hrv, sample_count, is_personal, hourly, updated_us FROM baseline
        WHERE coalesce(person, 0) = ? AND kind = ?
        """, arguments: [person ?? 0, kind.rawValue],
    )
    guard let found = try rows.next() else { return nil }
    let row = RowReader(row: found)
    guard let hourly = try? JSONDecoder().decode([Int: Double].self, from: Data(try row.text(4).utf8)) else {
      throw row.unexpected(4)
    }
    return PersonalBaseline(
      restingHeartRate: try row.real(0), baselineHRV: try row.real(1), kind: kind, sampleCount: try row.integer(2),
      isPersonal: try row.bool(3), hourlyHRV: hourly, lastUpdated: try row.date(5),
    )
  }
}
