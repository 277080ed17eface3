import FoundationEssentials
import Repository
import Sleep
import TachogramCore

/// The stages of nights that are not over, by what is stored of them so far: each from the data up to it.
///
/// The cost is that of reading the night so far, and of staging it from its start.
package struct LiveStaging: Sendable {
  /// A stage is known for this long after the last beat: four epochs.
  package static let longestSilence: Duration = .seconds(4 * SleepAxis.epochSeconds)

  private let database: TachogramDatabase
  private let timeZone: TimeZone

  /// Creates the staging of a database. `timeZone` is that in which the persons sleep.
  package init(database: TachogramDatabase, timeZone: TimeZone) {
    self.database = database
    self.timeZone = timeZone
  }

  /// Returns the stages of the last whole epochs of the nights among `sessions`, by session. Missing are sessions that are no
  /// nights, nights of less than an epoch, and those with no beat shortly before `now`. Throws `RepositoryError`.
  package func stages(of sessions: Set<String>, at now: WallTime) throws -> [String: SleepStage] {
    var stages: [String: SleepStage] = [:]
    for night in try SleepRepository(database: database).running() where sessions.contains(night.session) {
      stages[night.session] = try stage(of: night, at: now)
    }
    return stages
  }

  private func stage(of night: SleepSession, at now: WallTime) throws -> SleepStage? {
    let sessions = SessionRepository(database: database)
    guard let record = try sessions.storedSession(night.session),
      let last = try SessionEnd(of: record, in: database).lastBeatTime,
      now.duration(since: last) <= Self.longestSilence
    else { return nil }
    do {
      let stay = try SessionNight(record, from: night.lightsOff, in: database, timeZone: timeZone).night
      return NightEstimates.live(for: stay)?.epochs(of: stay).last?.stage
    } catch is SessionNight.Failure {
      return nil
    } catch is SleepInputError {
      return nil
    }
  }
}
