import FoundationEssentials
import Pipeline
import Repository
import Stress
import StressKit
import TachogramCore

/// The baseline that a session is measured against.
package enum Baselines {
  private static let days = 30.0

  /// The person's own baseline from the 30 days before `time`, without the session that is measured against it; the
  /// default where there is no database or too little in it.
  package static func baseline(
    person: String?, kind: HRVKind, at time: WallTime, excludingSession: String? = nil,
    database: TachogramDatabase?,
  ) throws -> PersonalBaseline {
    let date = time.date
    guard let database else { return .standard(kind: kind, lastUpdated: date) }
    let history = try StressRepository(database: database, person: person, kind: kind, now: { date })
      .hrvHistory(since: date - days * 86_400, until: date, excludingSession: excludingSession)
    return BaselineCalculator(kind: kind, timeZone: .gmt)
      .baseline(from: history.hrv, heartRates: history.heartRate, at: date)
  }
}

extension SessionPipeline {
  /// The pipeline of a session, against the baseline of its person at its start.
  package init(
    of session: SessionDescription, kind: HRVKind, database: TachogramDatabase?,
    options: AnalysisOptions = AnalysisOptions(),
  ) throws {
    let baseline = try Baselines.baseline(
      person: session.person, kind: kind, at: session.start, excludingSession: session.id, database: database)
    self.init(session: session, baseline: baseline, deviceID: session.derivedDeviceID, options: options)
  }
}
