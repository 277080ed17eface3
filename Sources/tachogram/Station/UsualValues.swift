import Dashboard
import Foundation
import Recording
import Repository
import Stress
import Synchronization
import TachogramCore

/// The bands of what is usual for people, computed once an hour at most: they rest on 30 days.
final class UsualValues: Sendable {
  private static let validity: Int64 = 3600 * 1_000_000
  private static let shown: [HRVMetric] = [.sdnn, .rmssd, .meanHeartRate]

  private let known = Mutex<[String: (since: WallTime, bands: [String: API.Band])]>([:])

  /// Whoever asks next gets new ones.
  func forget() {
    known.withLock { $0 = [:] }
  }

  func bands(
    of person: String?, in database: TachogramDatabase, timeZone: TimeZone, at now: WallTime
  ) throws -> [String: API.Band] {
    let key = person.map { "person \($0)" } ?? ""
    let old = known.withLock { $0[key] }
    if let old, abs(now.microseconds(since: old.since)) < Self.validity { return old.bands }
    let day = LocalTime(of: now.date, in: timeZone).day
    let question = PersonBaselines.Question(person: person, day: day, instant: now, timeZone: timeZone)
    let metrics = try PersonBaselines(question, from: database).metrics
    let bands = metrics.filter { Self.shown.contains($0.metric) }.compactMap { baseline in
      baseline.quartiles.map { quartiles in
        (baseline.metric.rawValue, API.Band(low: quartiles.lower, middle: quartiles.median, high: quartiles.upper))
      }
    }
    let found = Dictionary(uniqueKeysWithValues: bands)
    known.withLock { $0[key] = (now, found) }
    return found
  }
}
