import TachogramCore

/// When a station synchronises: every half minute, at once after something was entered or a session ended, and less often while the
/// store cannot be reached.
package struct SyncRhythm: Hashable, Sendable {
  /// The pause after a synchronisation that succeeded, if nothing changes here.
  package static let usual: Duration = .seconds(30)
  /// The pause after a first failure, which doubles with each further one.
  package static let firstRetry: Duration = .seconds(10)
  /// The longest pause after failures: a station is equal to the others within a minute after the network returns. A store that has
  /// too much to do asks for longer ones.
  package static let longest: Duration = .seconds(30)
  /// The longest pause that a store may ask for.
  package static let longestAsked: Duration = .seconds(3_600)

  /// The pause between synchronisations of a station that synchronises once a day, without the jitter of an hour at most.
  package static let daily: Duration = .seconds(86_400)

  private var failureCount = 0
  private var asked: Duration = .zero

  package init() {}

  /// Whether the last synchronisation failed, so that changes do not cause another one before the pause is over.
  package var isRetrying: Bool { failureCount > 0 }

  package mutating func succeed() { (failureCount, asked) = (0, .zero) }

  /// Stores a failure. `retryAfter` is the pause that the store asked for, or `nil`.
  package mutating func fail(retryAfter: Duration? = nil) {
    failureCount = min(failureCount + 1, 16)
    asked = min(max(retryAfter ?? .zero, .zero), Self.longestAsked)
  }

  /// Returns the pause before the next synchronisation. `random`, 0 … 1, spreads the attempts of several stations.
  package func pause(random: Double) -> Duration {
    let jitter = 0.75 + 0.5 * min(max(random, 0), 1)
    guard isRetrying else { return Self.usual * jitter }
    let doubled = Self.firstRetry * Double(1 << (failureCount - 1))
    return max(min(doubled, Self.longest) * jitter, asked)
  }

  /// Returns the pause before the next synchronisation of a station that synchronises once a day: the rest of the day since the last
  /// one that succeeded, and at most an hour more, so that the hour says nothing. `random` is 0 … 1.
  package func dailyPause(after last: WallTime?, now: WallTime, random: Double) -> Duration {
    if isRetrying { return pause(random: random) }
    guard let last else { return .zero }
    let passed = now.duration(since: last)
    // A clock that stepped back does not add a day.
    guard passed >= .zero, passed < Self.daily else { return .zero }
    return Self.daily - passed + .seconds(3_600) * min(max(random, 0), 1)
  }
}
