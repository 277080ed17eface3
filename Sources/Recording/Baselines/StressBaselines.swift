import FoundationEssentials
import Repository
import Stress
import StressKit
import TachogramCore

/// The baselines that stress is measured against.
package enum StressBaselines {
  private static let days = 30.0

  /// The person's own baseline from the 30 days before `time`, without the session that is measured against it; the
  /// default where there is no database or too little in it.
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
