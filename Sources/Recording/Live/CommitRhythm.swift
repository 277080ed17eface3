import TachogramCore

/// Decides with which commits the rows are stored that derive from the entries: with each one while somebody asks the database,
/// at the end, and now and then else, because a commit writes whole pages, however little is new on them.
struct CommitRhythm: Sendable {
  /// How long they are stored with each commit after somebody asked.
  private static let attention: Duration = .seconds(60)
  /// The least time between two commits for those who ask.
  private static let leastPause: Duration = .seconds(1)

  /// The least time between two commits that store them.
  let derivationInterval: Duration
  /// Whether nothing follows.
  var isEnding = false
  /// When all that was heard was stored last with what derives from it.
  private var lastWhole: MonotonicTime?
  private var lastQuestion: MonotonicTime?

  init(derivationInterval: Duration) {
    self.derivationInterval = derivationInterval
  }

  /// What a commit does with them now.
  func rows(at now: MonotonicTime) -> DerivedRows {
    let isKept = Self.isWithin(derivationInterval, lastWhole, now) && !Self.isWithin(Self.attention, lastQuestion, now)
    return isKept && !isEnding ? .kept : .stored
  }

  /// Notes that somebody asks the database. Returns whether a commit is worth it.
  mutating func ask(at now: MonotonicTime) -> Bool {
    lastQuestion = now
    return !Self.isWithin(Self.leastPause, lastWhole, now)
  }

  /// Notes that all of what was heard until `time` is stored with what derives from it.
  mutating func wasWhole(at time: MonotonicTime) {
    lastWhole = time
  }

  private static func isWithin(_ span: Duration, _ last: MonotonicTime?, _ now: MonotonicTime) -> Bool {
    last.map { now.duration(since: $0) < span } ?? false
  }
}
