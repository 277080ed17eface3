import Pipeline
import TachogramCore

/// One strap's session while it is heard: numbers what comes, runs the pipeline, and holds what is still to be
/// stored. A session begins with the first notification and goes on across links.
package struct LiveSession: Sendable {
  /// How a session begins with its first notification.
  enum Beginning {
    case new(SessionDescription, SessionPipeline)
    case resumed(InterruptedSession)
  }

  /// What is to be stored.
  struct Unstored: Sendable {
    var batch: SessionBatch
    /// What is known of the strap, where it is new.
    var identity: StrapIdentity?
    /// Where what derives from the batch was left out of it: the metric that stands for HRV in the stress.
    var owed: HRVKind?
  }

  package private(set) var identity: StrapIdentity
  package private(set) var description: SessionDescription?
  package private(set) var statistics = LinkStatistics()
  /// What is still to be stored.
  private var pending = SessionBatch()
  /// Whether entries are stored without what derives from them.
  private(set) var isOwed = false
  /// Whether that is not noted in the database either.
  private var isDebtUnstored = false
  private(set) var isOver = false
  /// Whether more is known of the strap than was stored.
  private var isIdentityStored = true
  private var pipeline: SessionPipeline?
  private var entryCount: Int64 = 0
  private var linkCount = 0
  /// What is added to the time of a notification on its way into the session, in microseconds.
  private var shift: Int64 = 0
  /// Whether it is the continuation of a session that was cut off.
  package private(set) var isResumed = false
  /// The link that is up; it gets its number with its first notification.
  private var link: (handle: UInt16, source: HandleSource, bootID: String?, number: Int?)?
  /// The link that got a number last.
  private var lastLink: StrapLink?

  init(identity: StrapIdentity) {
    self.identity = identity
  }

  /// The report so far; `nil` before the first notification.
  package func report() -> SessionReport? { pipeline?.report() }

  /// What is known at the last beat.
  package func reading() -> LiveValues? { pipeline?.reading() }

  /// Computes all metrics of the last five minutes, provisional ones, for whoever has some milliseconds; `nil` without
  /// beats.
  package func detail() -> (@Sendable () -> HRVMetrics)? { pipeline?.detail() }

  /// The session of the same strap that follows this one, from its next notification on.
  func successor() -> LiveSession {
    var next = LiveSession(identity: identity)
    next.link = link.map { ($0.handle, $0.source, $0.bootID, nil) }
    return next
  }

  /// The session that takes the place of this one, which was deleted or is somebody else's by now: it begins with what is not
  /// stored, `rest` and what came since. `begin` as in `notification`.
  func replaced(_ rest: Unstored? = nil, begin: (LedgerEntry) throws -> Beginning) rethrows -> LiveSession {
    var next = LiveSession(identity: identity)
    let links = (rest?.batch.links ?? []) + pending.links
    var number: Int?
    for entry in (rest?.batch.entries ?? []) + pending.entries {
      if entry.link != number {
        number = entry.link
        let known = links.first { $0.number == entry.link } ?? lastLink
        next.linkUp(handle: known?.handle ?? 0, source: known?.handleSource ?? .discovered, bootID: known?.bootID)
      }
      let monotonic = entry.monotonic.advanced(byMicroseconds: -shift)
      switch entry.content {
      case .notification(let value):
        _ = try next.notification(value, monotonic: monotonic, wall: entry.wall, begin: begin)
      case .linkDown(let reason): _ = next.linkDown(reason: reason, monotonic: monotonic, wall: entry.wall)
      }
    }
    if let link, link.number == nil || link.number != number {
      next.linkUp(handle: link.handle, source: link.source, bootID: link.bootID)
    }
    if isOver { next.finish() }
    return next
  }

  /// When something was notified last; `nil` before the first notification.
  var lastNotification: MonotonicTime? { statistics.lastNotification }

  // MARK: - Taking events

  /// Takes what is known of the strap.
  mutating func identify(_ identity: StrapIdentity) {
    guard identity != self.identity else { return }
    self.identity = identity
    isIdentityStored = false
  }

  mutating func linkUp(handle: UInt16, source: HandleSource, bootID: String?) {
    link = (handle, source, bootID, nil)
  }

  /// Takes a notification. `begin` says how the session begins with the first one. Returns what followed from it.
  mutating func notification(
    _ value: [UInt8], monotonic: MonotonicTime, wall: WallTime, begin: (LedgerEntry) throws -> Beginning,
  ) rethrows -> SessionBatch {
    statistics.notification(at: monotonic)
    if pipeline == nil {
      let first = LedgerEntry(
        sequence: 0, link: 0, monotonic: monotonic, wall: wall, content: .notification(value))
      take(try begin(first), first)
    }
    return ingest(.notification(value), link: linkNumber(), monotonic, wall)
  }

  private mutating func take(_ beginning: Beginning, _ first: LedgerEntry) {
    switch beginning {
    case .new(let description, let pipeline):
      (self.description, self.pipeline) = (description, pipeline)
    case .resumed(let session):
      (description, pipeline, isResumed) = (session.description, session.pipeline, true)
      (entryCount, linkCount) = (session.entryCount, session.linkCount)
      shift = session.shift(at: first.monotonic, first.wall, bootID: link?.bootID)
      pending = session.derived
    }
  }

  /// Takes the end of the link. A link on which nothing was notified leaves no trace.
  mutating func linkDown(reason: UInt8, monotonic: MonotonicTime, wall: WallTime) -> SessionBatch? {
    statistics.linkDown(reason: reason)
    defer { link = nil }
    guard let number = link?.number else { return nil }
    return ingest(.linkDown(reason: reason), link: number, monotonic, wall)
  }

  /// Ends the session: what is pending is decided on.
  mutating func finish() {
    isOver = true
    pipeline?.finish(into: &pending)
  }

  private mutating func linkNumber() -> Int {
    if let number = link?.number { return number }
    let number = linkCount
    linkCount += 1
    let new = StrapLink(
      number: number, bootID: link?.bootID, handle: link?.handle ?? 0, handleSource: link?.source ?? .discovered)
    pending.links.append(new)
    lastLink = new
    link?.number = number
    return number
  }

  private mutating func ingest(
    _ content: LedgerEntry.Content, link: Int, _ monotonic: MonotonicTime, _ wall: WallTime
  ) -> SessionBatch {
    let entry = LedgerEntry(
      sequence: entryCount, link: link, monotonic: monotonic.advanced(byMicroseconds: shift), wall: wall,
      content: content)
    entryCount += 1
    var news = SessionBatch()
    pipeline?.ingest(entry, into: &news)
    news.entries = [entry]
    pending.append(news)
    return news
  }

  // MARK: - Storing

  /// Whether nothing is left to be stored.
  var isStored: Bool { pending.isEmpty && isIdentityStored && !isDebtUnstored }

  /// Hands over what is to be stored; `nil` when there is nothing. `isLedgerAlone`: what derives from the entries is
  /// dropped and owed, and so is what follows as long as it is.
  mutating func takeUnstored(isLedgerAlone: Bool, kind: HRVKind) -> Unstored? {
    var rest = Unstored(batch: pending, identity: isIdentityStored ? nil : identity)
    pending = SessionBatch()
    if isLedgerAlone || isOwed, rest.batch.hasDerived {
      isDebtUnstored = isDebtUnstored || !isOwed
      isOwed = true
      rest.batch.dropDerived()
    }
    if isDebtUnstored { rest.owed = kind }
    isDebtUnstored = false
    return rest.batch.isEmpty && rest.identity == nil && rest.owed == nil ? nil : rest
  }

  /// What derives from all stored entries is stored.
  mutating func wasDerived() {
    isOwed = false
  }

  /// Takes back what could not be stored, ahead of what came since.
  mutating func giveBack(_ rest: Unstored) {
    var all = rest.batch
    all.append(pending)
    pending = all
    isDebtUnstored = isDebtUnstored || rest.owed != nil
  }

  /// Keeps only what it takes to store the rest of a session that is over.
  mutating func release() {
    pipeline = nil
  }

  /// What was stored of the strap; more may be known by now.
  mutating func wasStored(_ identity: StrapIdentity) {
    if identity == self.identity { isIdentityStored = true }
  }

  /// Forgets what nobody stores.
  mutating func dropPending() {
    pending.removeAll()
  }
}
