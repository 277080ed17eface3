import Pipeline
import Repository
import StressKit
import TachogramCore

/// One strap's session while it is heard: numbers what comes, derives from it, and holds what is still to be
/// stored. A session begins with the first notification and goes on across links.
package struct LiveSession: Sendable {
  /// How a session begins with its first notification.
  enum Start {
    case new(SessionDeriver)
    case resumed(InterruptedSession)
  }

  /// What is to be stored.
  struct Unstored: Sendable {
    var batch = SessionBatch()
    /// What is known of the strap, where it is new.
    var identity: StrapIdentity?
    /// What is new of what the stored session lacks.
    var derivation: SessionPiece.Derivation?
  }

  package private(set) var identity: StrapIdentity
  package private(set) var description: SessionDescription?
  package private(set) var statistics = LinkStatistics()
  /// What is still to be stored.
  private var pending = SessionBatch()
  /// Whether what derives from stored entries was dropped, to be derived from the stored ledger.
  private(set) var needsDerivation = false
  /// Whether the stored session is noted to lack some of what derives from its entries.
  private var isPendingDerivationStored = false
  private(set) var isOver = false
  /// Whether more is known of the strap than was stored.
  private var isIdentityStored = true
  private var deriver: SessionDeriver?
  private var entryCount: Int64 = 0
  private var linkCount = 0
  /// What is added to the time of a notification on its way into the session.
  private var shift: Duration = .zero
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
  package func report() -> SessionReport? { deriver?.report() }

  /// What is known at the last beat.
  package func reading() -> LiveValues? { deriver?.reading() }

  /// Computes all metrics of the last five minutes, provisional ones, for whoever has some milliseconds; `nil` without
  /// beats.
  package func detail() -> (@Sendable () -> HRVMetrics)? { deriver?.detail() }

  /// The session of the same strap that follows this one, from its next notification on.
  func successor() -> LiveSession {
    var next = LiveSession(identity: identity)
    next.link = link.map { ($0.handle, $0.source, $0.bootID, nil) }
    return next
  }

  /// The session that takes the place of this one, which was deleted or is somebody else's by now: it begins with what is not
  /// stored, `rest` and what came since. `begin` as in `notification`.
  func replaced(_ rest: Unstored? = nil, begin: (LedgerEntry) throws -> Start) rethrows -> LiveSession {
    var next = LiveSession(identity: identity)
    let links = (rest?.batch.links ?? []) + pending.links
    var number: Int?
    for entry in (rest?.batch.entries ?? []) + pending.entries {
      if entry.link != number {
        number = entry.link
        let known = links.first { $0.number == entry.link } ?? lastLink
        next.linkUp(handle: known?.handle ?? 0, source: known?.handleSource ?? .discovered, bootID: known?.bootID)
      }
      let monotonic = entry.monotonic.advanced(by: .zero - shift)
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
    _ value: [UInt8], monotonic: MonotonicTime, wall: WallTime, begin: (LedgerEntry) throws -> Start,
  ) rethrows -> SessionBatch {
    statistics.notification(at: monotonic)
    if deriver == nil {
      let first = LedgerEntry(
        sequence: 0, link: 0, monotonic: monotonic, wall: wall, content: .notification(value))
      start(try begin(first), first)
    }
    return ingest(.notification(value), link: linkNumber(), monotonic, wall)
  }

  private mutating func start(_ beginning: Start, _ first: LedgerEntry) {
    switch beginning {
    case .new(let deriver):
      (description, self.deriver) = (deriver.session, deriver)
    case .resumed(let session):
      (description, deriver, isResumed) = (session.description, session.deriver, true)
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
    deriver?.finish()
    if let rows = deriver?.drainRows() { pending.append(rows) }
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
      sequence: entryCount, link: link, monotonic: monotonic.advanced(by: shift), wall: wall,
      content: content)
    entryCount += 1
    deriver?.ingest(entry)
    var news = deriver?.drainRows() ?? SessionBatch()
    news.entries = [entry]
    pending.append(news)
    return news
  }

  // MARK: - Storing

  /// Whether nothing is left to be stored.
  var isStored: Bool { pending.isEmpty && isIdentityStored && needsDerivation == isPendingDerivationStored }

  /// Hands over what is to be stored; `nil` when there is nothing. What derives from the entries is stored with them, or later:
  /// `derived` says which.
  mutating func drainUnstored(_ derived: DerivedRows, kind: HRVKind) -> Unstored? {
    var rest = Unstored(identity: isIdentityStored ? nil : identity)
    if derived == .dropped || needsDerivation {
      needsDerivation = needsDerivation || pending.hasDerived
      pending.dropDerived()
    }
    rest.batch = derived == .kept ? pending.drainHeard() : pending.drain()
    let lacksRows = needsDerivation || pending.hasDerived
    if lacksRows != isPendingDerivationStored { rest.derivation = lacksRows ? .pending(kind) : .complete }
    isPendingDerivationStored = lacksRows
    return rest.batch.isEmpty && rest.identity == nil && rest.derivation == nil ? nil : rest
  }

  /// What derives from all stored entries is stored.
  mutating func wasDerived() {
    (needsDerivation, isPendingDerivationStored) = (false, false)
  }

  /// Takes back what could not be stored, ahead of what came since.
  mutating func restoreUnstored(_ rest: Unstored) {
    var all = rest.batch
    all.append(pending)
    pending = all
    if let derivation = rest.derivation { isPendingDerivationStored = derivation == .complete }
  }

  /// Keeps only what it takes to store the rest of a session that is over.
  mutating func release() {
    deriver = nil
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
