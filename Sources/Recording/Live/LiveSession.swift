import GATT
import Pipeline
import Repository
import StressKit
import TachogramCore

/// One strap's session during its recording: numbers the notifications, derives rows from them, and keeps the data that has not
/// been stored yet. A session begins with the first notification and continues across links.
package struct LiveSession: Sendable {
  /// How a session begins with its first notification.
  enum Start {
    case new(SessionDeriver, HRVKind)
    case resumed(InterruptedSession)
  }

  /// The data to store.
  struct Unstored: Sendable {
    var batch = SessionBatch()
    /// The identity of the strap, if it is new.
    var identity: StrapIdentity?
    /// The new rows among those that the stored session lacks.
    var derivation: SessionPiece.Derivation?
  }

  package private(set) var identity: StrapIdentity
  package private(set) var description: SessionDescription?
  package private(set) var statistics = LinkStatistics()
  /// The data that has not been stored yet.
  private var pending = SessionBatch()
  /// Whether rows derived from stored entries were dropped, to be derived from the stored ledger.
  private(set) var needsDerivation = false
  /// Whether the stored session is marked as lacking derived rows.
  private var isPendingDerivationStored = false
  private(set) var isOver = false
  /// Whether the identity of the strap is stored as it is known now.
  private var isIdentityStored = true
  private var deriver: SessionDeriver?
  private var sensors = SessionSensors()
  /// The metric that stands for HRV in the stress of the session.
  private var kind = HRVKind.sdnn
  private var entryCount: Int64 = 0
  private var linkCount = 0
  /// The duration added to the time of notifications.
  private var shift: Duration = .zero
  /// Whether the session continues an interrupted one.
  package private(set) var isResumed = false
  /// The current link, which gets its number with its first notification.
  private var link: (handle: UInt16, source: HandleSource, bootID: String?, number: Int?)?
  /// The last link that got a number.
  private var lastLink: StrapLink?

  init(identity: StrapIdentity) {
    self.identity = identity
  }

  /// Returns the current report, or `nil` before the first notification.
  package func report() -> SessionReport? { deriver?.report() }

  /// Returns the values at the last beat.
  package func reading() -> LiveValues? { deriver?.reading() }

  /// Returns a function that computes all metrics of the last five minutes, including provisional ones, in some milliseconds,
  /// or `nil` without beats.
  package func detail() -> (@Sendable () -> HRVMetrics)? { deriver?.detail() }

  /// Returns the session of the same strap that follows this one, starting with its next notification.
  func successor() -> LiveSession {
    var next = LiveSession(identity: identity)
    next.link = link.map { ($0.handle, $0.source, $0.bootID, nil) }
    next.sensors = sensors.successor()
    return next
  }

  /// Returns the session that replaces this one, which was deleted or is being continued by another recorder. It begins with
  /// the data that is not stored: `rest` and everything received since. `begin` is used as in `notification`.
  func replaced(_ rest: Unstored? = nil, begin: (LedgerEntry) throws -> Start) rethrows -> LiveSession {
    var next = LiveSession(identity: identity)
    let links = (rest?.batch.links ?? []) + pending.links
    var number: Int?
    var measured = ((rest?.batch.sensors ?? []) + pending.sensors)[...]
    if measured.first.map({ if case .started = $0.content { false } else { true } }) ?? true {
      next.sensors = sensors.successor()
    }
    func changeLink(_ other: Int) {
      guard other != number else { return }
      number = other
      let known = links.first { $0.number == other } ?? lastLink
      next.linkUp(handle: known?.handle ?? 0, source: known?.handleSource ?? .discovered, bootID: known?.bootID)
    }
    func measure(until time: MonotonicTime?) {
      while let first = measured.first, time.map({ first.monotonic <= $0 }) ?? true {
        changeLink(first.link)
        _ = next.sensor(first.content, monotonic: first.monotonic.advanced(by: .zero - shift), wall: first.wall)
        measured.removeFirst()
      }
    }
    for entry in (rest?.batch.entries ?? []) + pending.entries {
      measure(until: entry.monotonic)
      changeLink(entry.link)
      let monotonic = entry.monotonic.advanced(by: .zero - shift)
      switch entry.content {
      case .notification(let value):
        _ = try next.notification(value, monotonic: monotonic, wall: entry.wall, begin: begin)
      case .pulseIntervals(let frame): _ = next.sensor(.frame(frame), monotonic: monotonic, wall: entry.wall)
      case .linkDown(let reason): _ = next.linkDown(reason: reason, monotonic: monotonic, wall: entry.wall)
      }
    }
    measure(until: nil)
    if let link, link.number == nil || link.number != number {
      next.linkUp(handle: link.handle, source: link.source, bootID: link.bootID)
    }
    if isOver { next.finish() }
    return next
  }

  /// The time of the last notification, or `nil` before the first one.
  var lastNotification: MonotonicTime? { statistics.lastNotification }

  // MARK: - Handling events

  /// Updates the identity of the strap.
  mutating func identify(_ identity: StrapIdentity) {
    guard identity != self.identity else { return }
    self.identity = identity
    isIdentityStored = false
  }

  mutating func linkUp(handle: UInt16, source: HandleSource, bootID: String?) {
    link = (handle, source, bootID, nil)
  }

  /// Handles a notification, and returns the rows derived from it. `begin` decides how the session begins with the first one.
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

  /// Handles what the strap sent beside its heart rate, and returns the rows of it. Pulse intervals are ledger entries, since beats
  /// may derive from them; those that arrive before the first notification are not.
  mutating func sensor(_ content: SensorEntry.Content, monotonic: MonotonicTime, wall: WallTime) -> SessionBatch {
    let received = SessionSensors.Received(content: content, monotonic: monotonic, wall: wall)
    var news = SessionBatch()
    if deriver == nil {
      sensors.wait(received)
    } else if let frame = content.pulseIntervals {
      return ingest(.pulseIntervals(frame), link: linkNumber(), monotonic, wall)
    } else {
      sensors.append(received, link: linkNumber(), shift: shift, to: &news)
      pending.append(news)
    }
    return news
  }

  private mutating func start(_ beginning: Start, _ first: LedgerEntry) {
    switch beginning {
    case .new(let deriver, let kind):
      (description, self.deriver, self.kind) = (deriver.session, deriver, kind)
      sensors.begin(at: deriver.session.monotonicStart)
    case .resumed(let session):
      (description, deriver, kind, isResumed) = (session.description, session.deriver, session.kind, true)
      (entryCount, linkCount) = (session.entryCount, session.linkCount)
      shift = session.shift(at: first.monotonic, first.wall, bootID: link?.bootID)
      pending = session.derived
      sensors.begin(at: session.description.monotonicStart, count: session.sensorCount, movement: session.movement)
    }
    for received in sensors.drainWaiting() {
      sensors.append(received, link: linkNumber(), shift: shift, to: &pending)
    }
  }

  /// Handles the end of the link. A link without notifications is ignored.
  mutating func linkDown(reason: UInt8, monotonic: MonotonicTime, wall: WallTime) -> SessionBatch? {
    statistics.linkDown(reason: reason)
    defer { link = nil }
    sensors.linkDown()
    guard let number = link?.number else { return nil }
    return ingest(.linkDown(reason: reason), link: number, monotonic, wall)
  }

  /// Ends the session, and decides on pending beats.
  mutating func finish() {
    isOver = true
    deriver?.finish()
    if let rows = deriver?.drainRows() { pending.append(rows) }
    sensors.finish(&pending)
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

  /// Whether everything is stored.
  var isStored: Bool { pending.isEmpty && isIdentityStored && needsDerivation == isPendingDerivationStored }

  /// Removes and returns the data to store, or returns `nil` if there is none. `derived` decides whether derived rows are
  /// included, kept or dropped.
  mutating func drainUnstored(_ derived: DerivedRows) -> Unstored? {
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

  /// Records that the rows derived from all stored entries are stored.
  mutating func wasDerived() {
    (needsDerivation, isPendingDerivationStored) = (false, false)
  }

  /// Restores data that could not be stored, ahead of newer data.
  mutating func restoreUnstored(_ rest: Unstored) {
    var all = rest.batch
    all.append(pending)
    pending = all
    if let derivation = rest.derivation { isPendingDerivationStored = derivation == .complete }
  }

  /// Releases everything except the data needed to store the rest of a session that is over.
  mutating func release() {
    deriver = nil
  }

  /// Records the stored identity of the strap. More may be known by now.
  mutating func wasStored(_ identity: StrapIdentity) {
    if identity == self.identity { isIdentityStored = true }
  }

  /// Drops pending data if nothing is stored.
  mutating func dropPending() {
    pending.removeAll()
  }
}
