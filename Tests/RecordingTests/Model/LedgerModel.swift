import TachogramCore

/// What recordings ought to have stored of one strap: lists of what was told, and when a list ends.
struct LedgerModel {
  struct Session {
    var entries: [LedgerEntry] = []
    var linkCount = 0
    var isComplete = false
    /// How many entries were stored for certain.
    var stored = 0

    var start: WallTime? { entries.first?.wall }
  }

  /// A session of which nothing was heard for so long has ended, in microseconds.
  static let endAfter: Duration = .seconds(600)
  /// A session that was cut off longer ago does not go on, in microseconds.
  private static let resumption: Int64 = 3_600_000_000

  private(set) var sessions: [Session] = []
  private(set) var isUp = false
  /// The number of the link in its session; `nil` before its first notification.
  private var link: Int?
  private var current: Int?
  private var lastNotification: MonotonicTime?

  /// Whether the next notification begins a session, or goes on with one that was cut off.
  var isBetweenSessions: Bool { current == nil }

  mutating func linkUp() {
    (isUp, link) = (true, nil)
  }

  mutating func notification(_ value: [UInt8], _ monotonic: MonotonicTime, _ wall: WallTime) {
    if current == nil { begin(wall) }
    lastNotification = monotonic
    guard let current else { return }
    if link == nil {
      link = sessions[current].linkCount
      sessions[current].linkCount += 1
    }
    append(.notification(value), monotonic, wall)
  }

  mutating func linkDown(reason: UInt8, _ monotonic: MonotonicTime, _ wall: WallTime) {
    if link != nil { append(.linkDown(reason: reason), monotonic, wall) }
    (isUp, link) = (false, nil)
  }

  private mutating func append(_ content: LedgerEntry.Content, _ monotonic: MonotonicTime, _ wall: WallTime) {
    guard let current, let link else { return }
    sessions[current].entries.append(
      LedgerEntry(
        sequence: Int64(sessions[current].entries.count), link: link, monotonic: monotonic, wall: wall,
        content: content))
  }

  /// A session goes on that was cut off: the newest by the civil clock, or none. A session of the program that runs has
  /// ended in order.
  private mutating func begin(_ wall: WallTime) {
    let newest = sessions.indices.max { one, other in
      (sessions[one].start?.microseconds ?? 0, one) < (sessions[other].start?.microseconds ?? 0, other)
    }
    if let newest, !sessions[newest].isComplete, let end = sessions[newest].entries.last?.wall,
      abs(wall.microseconds(since: end)) <= Self.resumption
    {
      current = newest
      return
    }
    sessions.append(Session())
    current = sessions.count - 1
  }

  // MARK: - Time and disk

  /// Time has passed until `now`; `isStored`: and all was stored that there is.
  mutating func pass(until now: MonotonicTime, isStored: Bool) {
    if current != nil, let lastNotification, now.duration(since: lastNotification) >= Self.endAfter { end() }
    guard isStored else { return }
    for index in sessions.indices { sessions[index].stored = sessions[index].entries.count }
  }

  /// The session ends in order; what comes on its link belongs to the next.
  mutating func end() {
    if let current { sessions[current].isComplete = true }
    (current, link, lastNotification) = (nil, nil, nil)
  }

  /// The program is gone, and of each session only so many entries are there, by its first entry.
  mutating func kill(left: [MonotonicTime: (count: Int, isComplete: Bool)]) {
    sessions = sessions.compactMap { session in
      guard let first = session.entries.first?.monotonic, let left = left[first] else { return nil }
      var session = session
      session.entries = Array(session.entries.prefix(left.count))
      session.linkCount = (session.entries.last?.link ?? -1) + 1
      session.isComplete = left.isComplete
      return session
    }
    (current, link, lastNotification, isUp) = (nil, nil, nil, false)
  }
}
