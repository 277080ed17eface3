import FoundationEssentials
import Repository
import Stress
import Synchronization
import TachogramCore

/// What is usual for people. It rests on 60 days, and so it is computed ahead of the question, and kept for an hour, or until sessions
/// come or go.
package final class BaselineCache: Sendable {
  private static let validity: Duration = .seconds(3_600)

  private struct Entry {
    let baselines: PersonBaselines
    let stock: SessionStock
  }

  private struct Known {
    var entries: [String?: Entry] = [:]
    /// How often all was forgotten: what was begun before then is not kept.
    var age = 0
  }

  private let known = Mutex(Known())
  /// Held while some are computed: whoever asks meanwhile waits for what comes of it, and does not do the same.
  private let computing = Mutex(())

  package init() {}

  /// Whoever asks next gets new ones.
  package func forget() {
    known.withLock { $0 = Known(age: $0.age + 1) }
  }

  /// Of a person, as of an hour ago at most.
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

  /// The sessions that may count, and a day's more.
  private static func stock(_ question: PersonBaselines.Question, _ database: TachogramDatabase) throws -> SessionStock
  {
    let first = question.day.advanced(by: -ReadinessCalculator.days).start(in: question.timeZone)
    return try HistoryRepository(database: database).stock(of: question.person, since: WallTime(first))
  }

  /// Computes them anew.
  package func compute(_ question: PersonBaselines.Question, _ database: TachogramDatabase) throws {
    _ = try computing.withLock { _ in try computeAlone(question, database) }
  }

  private func computeAlone(
    _ question: PersonBaselines.Question, _ database: TachogramDatabase
  ) throws -> PersonBaselines {
    let age = known.withLock { $0.age }
    // Before them: what comes or goes meanwhile is looked for again.
    let stock = try Self.stock(question, database)
    let new = try PersonBaselines(question, from: database)
    // Whoever asks for people who are not there must not fill the memory with them.
    let isKnown = try question.person.map { try HistoryRepository(database: database).persons().contains($0) } ?? true
    known.withLock { known in
      if isKnown, known.age == age { known.entries[question.person] = Entry(baselines: new, stock: stock) }
    }
    return new
  }
}
