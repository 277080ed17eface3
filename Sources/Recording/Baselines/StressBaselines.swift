import FoundationEssentials
import Repository
import Stress
import StressKit
import TachogramCore

/// The baselines of stress levels.
package enum StressBaselines {
  private static let days = 30.0

  /// Returns the person's own baseline from the 30 days before `time`, excluding the session that is compared with it, or the
  /// default if there is no database or not enough data in it.
  package static func baseline(
    person: String?, kind: HRVKind, at time: WallTime, excludingSession: String? = nil,
    database: TachogramDatabase?,
  ) throws -> PersonalBaseline {
    let date = time.date
    guard let database else { return .default(kind: kind, lastUpdated: date) }
    let history = try StressRepository(database: database, person: person, kind: kind, now: { date })
      .hrvHistory(since: date - days * 86_400, until: date, excludingSession: excludingSession)
    return BaselineCalculator(kind: kind, timeZone: .gmt)
      .baseline(from: history.hrv, heartRates: history.heartRate, at: date)
  }
}
