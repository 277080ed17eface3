import Pipeline
import TachogramCore

/// One strap's session while it is heard: numbers what comes, runs the pipeline, and holds what is still to be
/// stored. A session begins with the first notification and goes on across links.
package struct LiveSession: Sendable {
  package private(set) var identity: StrapIdentity
  package private(set) var description: SessionDescription?
  package private(set) var statistics = LinkStatistics()
  /// What is still to be stored.
  private var pending = SessionBatch()
  /// Whether more is known of the strap than was stored.
  private var isIdentityStored = true
  private var pipeline: SessionPipeline?
  private var entryCount: Int64 = 0
  private var linkCount = 0
  /// The link that is up; it gets its number with its first notification.
  private var link: (handle: UInt16, source: HandleSource, bootID: String?, number: Int?)?

  init(identity: StrapIdentity) {
    self.identity = identity
  }

  /// The report so far; `nil` before the first notification.
  package func report() -> SessionReport? { pipeline?.report() }

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

  /// Takes a notification. `begin` makes the pipeline with the first one. Returns what followed from it.
  mutating func notification(
    _ value: [UInt8], monotonic: MonotonicTime, wall: WallTime,
    begin: (LedgerEntry) throws -> (SessionDescription, SessionPipeline),
  ) rethrows -> SessionBatch {
    statistics.notification(at: monotonic)
    var entry = LedgerEntry(
      sequence: entryCount, link: 0, monotonic: monotonic, wall: wall, content: .notification(value))
    if pipeline == nil { (description, pipeline) = try begin(entry) }
    entry.link = linkNumber()
    return ingest(entry)
  }

  /// Takes the end of the link. A link on which nothing was notified leaves no trace.
  mutating func linkDown(reason: UInt8, monotonic: MonotonicTime, wall: WallTime) -> SessionBatch? {
    statistics.linkDown(reason: reason)
    defer { link = nil }
    guard let number = link?.number else { return nil }
    return ingest(
      LedgerEntry(
        sequence: entryCount, link: number, monotonic: monotonic, wall: wall, content: .linkDown(reason: reason)))
  }

  /// Ends the session: what is pending is decided on.
  mutating func finish() {
    pipeline?.finish(into: &pending)
  }

  private mutating func linkNumber() -> Int {
    if let number = link?.number { return number }
    let number = linkCount
    linkCount += 1
    pending.links.append(
      StrapLink(
        number: number, bootID: link?.bootID, handle: link?.handle ?? 0, handleSource: link?.source ?? .discovered))
    link?.number = number
    return number
  }

  private mutating func ingest(_ entry: LedgerEntry) -> SessionBatch {
    entryCount += 1
    var news = SessionBatch()
    pipeline?.ingest(entry, into: &news)
    news.entries = [entry]
    pending.append(news)
    return news
  }

  // MARK: - Storing

  /// Hands over what is to be stored, the identity only when it is new; `nil` when there is nothing.
  mutating func takeUnstored() -> (batch: SessionBatch, identity: StrapIdentity?)? {
    if pending.isEmpty, isIdentityStored { return nil }
    defer { pending = SessionBatch() }
    return (pending, isIdentityStored ? nil : identity)
  }

  /// Takes back what could not be stored, ahead of what came since.
  mutating func giveBack(_ batch: SessionBatch) {
    var all = batch
    all.append(pending)
    pending = all
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
