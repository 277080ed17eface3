import FoundationEssentials
import Repository
import Stress
import Synchronization
import TachogramCore

/// A cache of baselines. They are computed from 60 days of sessions, and therefore computed in advance and kept for an hour, or
/// until sessions are added or deleted.
package final class BaselineCache: Sendable {
  private static let validity: Duration = .seconds(3_600)

  private struct Entry {
    let baselines: PersonBaselines
    let stock: SessionStock
  }

  private struct Known {
    var entries: [String?: Entry] = [:]
    /// The number of times the cache was cleared. Results of computations that began before the last time are not kept.
    var age = 0
  }

  private let known = Mutex(Known())
  /// Locked during a computation, so that concurrent callers wait for its result instead of repeating it.
  private let computing = Mutex(())

  package init() {}

  /// Clears the cache, so that the next caller gets new baselines.
  package func forget() {
    known.withLock { $0 = Known(age: $0.age + 1) }
  }

  /// Returns the baselines of a person, at most an hour old.
  package func baselines(
    of person: String?, in database: TachogramDatabase, timeZone: TimeZone, at now: WallTime
  ) throws -> PersonBaselines {
    let day = LocalTime(of: now.date, in: timeZone).day
    let question = PersonBaselines.Question(person: person, day: day, instant: now, timeZone: timeZone)
    let stock = try Self.stock(question, database)
    return try answer(question, stock)
      ?? computing.withLock { _ in try answer(question, stock) ?? computeAlone(question, database) }
  }

  private func answer(_ question: PersonBaselines.Question, _ stock: SessionStock) -> PersonBaselines? {
    guard let entry = known.withLock({ $0.entries[question.person] }), entry.stock == stock else { return nil }
    let old = entry.baselines
    guard old.question.day == question.day,
      old.question.timeZone == question.timeZone,
      question.instant.duration(since: old.question.instant).magnitude < Self.validity
    else { return nil }
    return old
  }

  /// Returns the sessions of the period of the baselines and of one day more.
  private static func stock(_ question: PersonBaselines.Question, _ database: TachogramDatabase) throws -> SessionStock
  {
    let first = question.day.advanced(by: -ReadinessCalculator.days).start(in: question.timeZone)
    return try HistoryRepository(database: database).stock(of: question.person, since: WallTime(first))
  }

  /// Computes the baselines again.
  package func compute(_ question: PersonBaselines.Question, _ database: TachogramDatabase) throws {
    _ = try computing.withLock { _ in try computeAlone(question, database) }
  }

  private func computeAlone(
    _ question: PersonBaselines.Question, _ database: TachogramDatabase
  ) throws -> PersonBaselines {
    let age = known.withLock { $0.age }
    // Read before the baselines, so that changes during the computation are detected later.
    let stock = try Self.stock(question, database)
    let new = try PersonBaselines(question, from: database)
    // Requests for unknown persons must not fill the memory.
    let isKnown = try question.person.map { try HistoryRepository(database: database).persons().contains($0) } ?? true
    known.withLock { known in
      if isKnown, known.age == age { known.entries[question.person] = Entry(baselines: new, stock: stock) }
    }
    return new
  }
}
