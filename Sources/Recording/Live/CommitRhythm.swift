import TachogramCore

/// Decides which commits store the rows derived from entries: every commit while the database is being queried, the last one,
/// and otherwise a commit from time to time, since a commit writes whole pages, however few rows are new.
struct CommitRhythm: Sendable {
  /// The time after a query during which every commit stores the rows.
  private static let attention: Duration = .seconds(60)
  /// The least time between two commits for queries.
  private static let leastPause: Duration = .seconds(1)

  /// The least time between two commits that store the rows.
  let derivationInterval: Duration
  /// Whether no further commit follows.
  var isEnding = false
  /// The time at which all received entries and the rows derived from them were last stored.
  private var lastWhole: MonotonicTime?
  private var lastQuestion: MonotonicTime?

  init(derivationInterval: Duration) {
    self.derivationInterval = derivationInterval
  }

  /// Returns how the next commit handles the rows.
  func rows(at now: MonotonicTime) -> DerivedRows {
    let isKept = Self.isWithin(derivationInterval, lastWhole, now) && !Self.isWithin(Self.attention, lastQuestion, now)
    return isKept && !isEnding ? .kept : .stored
  }

  /// Records that the database is being queried. Returns whether a commit is worthwhile.
  mutating func ask(at now: MonotonicTime) -> Bool {
    lastQuestion = now
    return !Self.isWithin(Self.leastPause, lastWhole, now)
  }

  /// Records that everything received until `time` is stored with the rows derived from it.
  mutating func wasWhole(at time: MonotonicTime) {
    lastWhole = time
  }

  private static func isWithin(_ span: Duration, _ last: MonotonicTime?, _ now: MonotonicTime) -> Bool {
    last.map { now.duration(since: $0) < span } ?? false
  }
}
