import Dashboard
import Foundation
import Repository
import Stress
import Synchronization
import TachogramCore

/// What is usual for people. It rests on 60 days, and so it is computed ahead of the question, and kept for an hour.
final class UsualValues: Sendable {
  private static let validity: Int64 = 3600 * 1_000_000
  private static let shown: [HRVMetric] = [.sdnn, .rmssd, .meanHeartRate]

  private let known = Mutex<[String?: PersonBaselines]>([:])

  /// Whoever asks next gets new ones.
  func forget() {
    known.withLock { $0 = [:] }
  }

  /// Of a person, as of an hour ago at most.
  func baselines(
    of person: String?, in database: TachogramDatabase, timeZone: TimeZone, at now: WallTime
  ) throws -> PersonBaselines {
    let day = LocalTime(of: now.date, in: timeZone).day
    if let old = known.withLock({ $0[person] }), old.question.day == day, old.question.timeZone == timeZone,
      abs(now.microseconds(since: old.question.instant)) < Self.validity
    {
      return old
    }
    return try compute(PersonBaselines.Question(person: person, day: day, instant: now, timeZone: timeZone), database)
  }

  /// Computes them anew.
  @discardableResult
  func compute(_ question: PersonBaselines.Question, _ database: TachogramDatabase) throws -> PersonBaselines {
    let new = try PersonBaselines(question, from: database)
    // Whoever asks for people who are not there must not fill the memory with them.
    let isKnown = try question.person.map { try HistoryRepository(database: database).persons().contains($0) } ?? true
    if isKnown { known.withLock { $0[question.person] = new } }
    return new
  }

  /// The bands of what is usual, by metric, as far as there is enough.
  static func bands(_ baselines: PersonBaselines) -> [String: API.Band] {
    let bands = baselines.metrics.filter { shown.contains($0.metric) }.compactMap { baseline in
      baseline.quartiles.map { quartiles in
        (baseline.metric.rawValue, API.Band(low: quartiles.lower, middle: quartiles.median, high: quartiles.upper))
      }
    }
    return Dictionary(uniqueKeysWithValues: bands)
  }
}
