import Pipeline
import Repository
import StressKit
import TachogramCore

/// Handles the events of a source with sessions, and stores them if there is a database. Storing is concurrent: neither the
/// display nor the reception of notifications waits for the disk.
package actor LiveRecorder {
  /// The time between two attempts to derive pending rows.
  private static let derivationRetryInterval: Duration = .seconds(60)

  private let source: any RadioSourceProtocol
  private var options: LiveOptions
  private let time: any TimeSourceProtocol
  private let database: TachogramDatabase?
  private let writer: LedgerWriter?
  private let observe: @Sendable (Update) -> Void
  private let observeEnd: @Sendable (Int) -> Void
  private var sessions: [Int: LiveSession] = [:]
  /// The straps that are no longer listened to, but whose sessions have not ended yet.
  private var dismissed: Set<Int> = []
  /// The sessions that have ended and are not stored completely.
  private var ending: [LiveSession] = []
  private var begun: Set<String> = []
  private var idleRule: IdleRule
  private var wishes = RecordingWishes()
  /// The sessions that were already interrupted when this recorder began. Sessions that appear interrupted later are being
  /// recorded by another recorder.
  private var interrupted: Set<String> = []
  private var isStoring = false
  /// The callers that wait for a commit in progress.
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var rhythm: CommitRhythm
  private var isLedgerAlone = false
  /// The time at which deriving pending rows of a session last failed.
  private var lastFailedDerivation: MonotonicTime?
  /// The task that stops the source at the end of the duration.
  private var end: Task<Void, Never>?
  /// Whether the recorder is running.
  package private(set) var isRunning = false
  /// The reason why the last attempt to store failed, or `nil` if it succeeded.
  package private(set) var storageFailure: RepositoryError?

  /// `observe` is called with every event after it was handled, and `observeEnd` with the straps whose sessions have ended, for
  /// which there is no event.
  package init(
    source: any RadioSourceProtocol, options: LiveOptions, time: any TimeSourceProtocol, database: TachogramDatabase?,
    observeEnd: @escaping @Sendable (_ strap: Int) -> Void = { _ in }, observe: @escaping @Sendable (Update) -> Void,
  ) {
    self.source = source
    self.options = options
    self.time = time
    self.database = database
    self.observe = observe
    self.observeEnd = observeEnd
    idleRule = IdleRule(endAfter: options.endAfter)
    rhythm = CommitRhythm(derivationInterval: options.derivationInterval)
    writer = options.isStored ? database.map(LedgerWriter.init(database:)) : nil
  }

  /// Handles events until the source ends, the duration is over or the task is cancelled; then ends the sessions in order.
  /// Throws the error that prevented storing the last data.
  package func run() async throws -> [Ended] {
    isRunning = true
    defer { isRunning = false }
    if options.resumes, let database { interrupted = InterruptedSession.all(in: database) }
    let storing = Task { await self.keepStoring() }
    let asked = writer == nil ? nil : database.flatMap { CommitListener(database: $0) { await self.commit() } }
    defer { asked?.close() }
    let events = source.events()
    // A separate task is needed: a stream ends at once in a cancelled task, and the final events would be lost.
    let listening = Task { for await event in events { handle(event) } }
    await withTaskCancellationHandler {
      await listening.value
    } onCancel: {
      Task { [source] in await source.stop() }
    }
    end?.cancel()
    storing.cancel()
    await storing.value
    return try await finish()
  }

  /// Sets whether only the ledger is stored, as on a nearly full disk. The other rows are derived from the stored ledger later.
  package func keepLedgerAlone(_ isLedgerAlone: Bool) {
    self.isLedgerAlone = isLedgerAlone
  }

  /// Changes when sessions end, and the metric that stands for HRV in the stress of new sessions.
  package func change(endAfter: Duration?, kind: HRVKind) {
    idleRule.endAfter = endAfter
    options.kind = kind
  }

  /// Sets the sessions in which a person sleeps: they end after `silence` without data, if other sessions end earlier, so that a
  /// night is one session.
  package func keepOpen(_ sessions: Set<String>, for silence: Duration) {
    (idleRule.nights, idleRule.silenceOfNights) = (sessions, silence)
  }

  /// Starts or stops recording a strap, which is received all the same. Stopping ends its session; the next one begins with the
  /// first notification after the start. It holds until the strap is dismissed or this recorder ends.
  package func record(_ isWanted: Bool, strap: Int) async {
    guard writer != nil, sessions[strap] != nil else { return }
    wishes.wish(isWanted, for: strap)
    await store(endingOver: true)
  }

  // MARK: - Events

  private func handle(_ event: StrapEvent) {
    var news = SessionBatch()
    let isSuspended = wishes.isSuspended(event.strap)
    switch event.content {
    case .identified(let identity):
      if sessions[event.strap] == nil { sessions[event.strap] = LiveSession(identity: identity) }
      sessions[event.strap]?.identify(identity)
    case .linkUp(let handle, let source, let bootID):
      sessions[event.strap]?.linkUp(handle: handle, source: source, bootID: bootID)
    case .notification(let value):
      guard let identity = sessions[event.strap]?.identity else { break }
      let others = sessions[event.strap]?.description == nil ? taken : []
      news =
        sessions[event.strap]?.notification(value, monotonic: event.monotonic, wall: event.wall) { entry in
          begin(identity, entry, others, resumes: !isSuspended)
        } ?? news
      if end == nil, let duration = options.duration { setEnd(event.monotonic.advanced(by: duration)) }
    case .linkDown(let reason):
      news = sessions[event.strap]?.linkDown(reason: reason, monotonic: event.monotonic, wall: event.wall) ?? news
    case .sensor(let content):
      news = sessions[event.strap]?.sensor(content, monotonic: event.monotonic, wall: event.wall) ?? news
    case .state, .signal: break
    case .dismissed: dismissed.insert(event.strap)
    }
    if writer == nil || isSuspended { sessions[event.strap]?.dropPending() }
    let live = dismissed.contains(event.strap) ? nil : sessions[event.strap]
    observe(
      Update(
        event: event, batch: news, live: live, isSuspended: isSuspended, storageFailure: storageFailure))
  }

  /// Returns how a session begins. If the database cannot be read, notifications are still received: the session is new, with
  /// the default baseline. `others` are sessions that it cannot continue.
  private func begin(
    _ identity: StrapIdentity, _ first: LedgerEntry, _ others: Set<String>, resumes: Bool = true,
  ) -> LiveSession.Start {
    let id = SessionDescription.identifier(strap: identity.address, first: first)
    let wearer = options.wearer(identity.address)
    let session = SessionDescription(
      id: id, strap: identity, origin: .live, person: wearer.person, label: wearer.label,
      deviceID: options.deviceID ?? SessionDescription.unknownDevice, start: first.wall, monotonicStart: first.monotonic
    )
    do {
      if resumes, options.resumes, let database,
        let interrupted = try InterruptedSession.find(
          of: identity, options: options, at: first.wall, among: interrupted.subtracting(others), in: database)
      {
        return .resumed(interrupted)
      }
      return .new(try SessionDeriver(session, kind: options.kind, in: database), options.kind)
    } catch {
      if let error = error as? RepositoryError { storageFailure = error }
      let baseline = PersonalBaseline.default(kind: options.kind, lastUpdated: session.start.date)
      return .new(SessionDeriver(session, baseline: baseline), options.kind)
    }
  }

  /// The sessions that this recorder has begun, is continuing or is ending.
  package var taken: Set<String> {
    begun.union((sessions.values + ending).compactMap { $0.description?.id })
  }

  // MARK: - The end

  /// Schedules stopping the source at the end of the duration.
  private func setEnd(_ due: MonotonicTime) {
    end = Task { [source, time] in
      do { try await time.sleep(until: due) } catch { return }
      await source.stop()
    }
  }

  /// Ends the sessions in order. A session that could not be stored completely is left as interrupted.
  private func finish() async throws -> [Ended] {
    var ended: [Ended] = []
    rhythm.isEnding = true
    for strap in sessions.keys {
      sessions[strap]?.finish()
      observeEnd(strap)
    }
    await store()
    // There is no later attempt, and the failure may have been due to a lock that has since been released.
    if storageFailure != nil { await store() }
    var failure = storageFailure
    for strap in sessions.keys.sorted() {
      guard let session = sessions[strap], let id = session.description?.id, let report = session.report() else {
        continue
      }
      if let writer {
        guard session.isStored, !wishes.isSuspended(strap) else { continue }
        // Left as interrupted: its pending rows are derived when there is space.
        guard !session.needsDerivation else {
          ended.append(Ended(report: report, statistics: session.statistics))
          continue
        }
        do throws(RepositoryError) {
          try await writer.finish(id)
        } catch {
          if case .sessionNotFound = error { continue }
          failure = error
          continue
        }
      }
      ended.append(Ended(report: report, statistics: session.statistics))
    }
    if let failure { throw failure }
    return ended
  }

  // MARK: - Storing

  private func keepStoring() async {
    guard writer != nil else { return }
    var due = time.now().monotonic
    let pause = options.pauseBetweenCommits
    while !Task.isCancelled {
      due = due.advanced(by: pause)
      do { try await time.sleep(until: due) } catch { return }
      due = max(due, time.now().monotonic.advanced(by: .zero - pause))
      await store(endingOver: true)
    }
  }

  /// Stores everything received so far with the rows derived from it, for a query of the database, at most once a second. For
  /// the following minute, each commit stores both.
  package func commit() async {
    guard writer != nil, rhythm.ask(at: time.now().monotonic) else { return }
    await store()
  }

  /// Ends the sessions of straps that are no longer listened to or recorded, and of idle straps, whose later notifications begin a
  /// new session. No data of these sessions is being stored at this time.
  private func closeSessions() {
    for strap in dismissed {
      let wasRecorded = wishes.forget(strap)
      guard var session = sessions.removeValue(forKey: strap), session.description != nil, wasRecorded else { continue }
      session.finish()
      ending.append(session)
    }
    dismissed = []
    let now = time.now().monotonic
    for strap in sessions.keys {
      guard let last = sessions[strap]?.lastNotification,
        idleRule.isOver(sessions[strap]?.description?.id, silence: now.duration(since: last))
      else { continue }
      beginAnother(strap, after: !wishes.isSuspended(strap))
    }
    for (strap, wasRecorded) in wishes.hold() { beginAnother(strap, after: wasRecorded) }
  }

  /// Ends the session of a strap, which is stored if it was recorded.
  private func beginAnother(_ strap: Int, after wasRecorded: Bool) {
    guard let successor = sessions[strap]?.successor(), var session = sessions.updateValue(successor, forKey: strap)
    else { return }
    session.finish()
    if wasRecorded, session.description != nil { ending.append(session) }
    observeEnd(strap)
  }

  /// Stores pending data, one commit after another. Data that cannot be stored is kept for the next attempt; rows that cannot
  /// be derived are retried after a minute. With `endingOver`, sessions that are over are ended first.
  private func store(endingOver: Bool = false) async {
    guard let writer else { return }
    while isStoring { await withCheckedContinuation { waiting.append($0) } }
    isStoring = true
    defer {
      isStoring = false
      for waiter in waiting { waiter.resume() }
      waiting = []
    }
    if endingOver { closeSessions() }
    let now = time.now().monotonic
    let rows = isLedgerAlone ? .dropped : rhythm.rows(at: now)
    let ended = await storeEnding(writer)
    let running = await storeRunning(writer, rows)
    storageFailure = running ?? ended
    if rows == .stored, storageFailure == nil { rhythm.wasWhole(at: now) }
  }

  /// Stores the new data of the running sessions in one transaction, and derives the pending rows of the stored ones. Returns
  /// the error of the last session that was not stored.
  private func storeRunning(_ writer: LedgerWriter, _ derived: DerivedRows) async -> RepositoryError? {
    // Only the data to store is kept during the wait: a session that is kept would be copied, with its history, by the next
    // beat.
    var rests: [(strap: Int, rest: LiveSession.Unstored)] = []
    var pieces: [SessionPiece] = []
    for strap in sessions.keys.sorted() where !wishes.isSuspended(strap) {
      guard let session = sessions[strap]?.description else { continue }
      // The beginning of a session is stored with all derived rows.
      let rows = derived == .kept && !begun.contains(session.id) ? .stored : derived
      guard let rest = sessions[strap]?.drainUnstored(rows) else { continue }
      rests.append((strap, rest))
      pieces.append(
        SessionPiece(
          rest, of: session, isBegun: begun.contains(session.id), isResumed: sessions[strap]?.isResumed == true))
    }
    let refusals: [RepositoryError?]
    do throws(RepositoryError) {
      refusals = pieces.isEmpty ? [] : try await writer.store(pieces)
    } catch {
      for (strap, rest) in rests { sessions[strap]?.restoreUnstored(rest) }
      return error
    }
    var failures: [Int: RepositoryError] = [:]
    for (number, (strap, rest)) in rests.enumerated() {
      if let refusal = refusals[number] {
        failures[strap] = refusal
        if refusal.isOfSession { startReplacement(strap, rest) } else { sessions[strap]?.restoreUnstored(rest) }
      } else {
        begun.insert(pieces[number].session)
        if let identity = rest.identity { sessions[strap]?.wasStored(identity) }
      }
    }
    for strap in sessions.keys.sorted()
    where failures[strap] == nil && mayDerive && sessions[strap]?.needsDerivation == true {
      guard let id = sessions[strap]?.description?.id else { continue }
      do throws(RepositoryError) {
        try await writer.derive(id, isOver: sessions[strap]?.isOver == true)
        sessions[strap]?.wasDerived()
      } catch {
        failures[strap] = error
        lastFailedDerivation = time.now().monotonic
      }
    }
    return failures.max { $0.key < $1.key }?.value
  }

  /// Starts a new session if the session of a strap was deleted or is being continued by another recorder. It begins with the
  /// data that is not stored, starting with `rest`.
  private func startReplacement(_ strap: Int, _ rest: LiveSession.Unstored) {
    guard let session = sessions[strap] else { return }
    let others = taken
    sessions[strap] = session.replaced(rest) { begin(session.identity, $0, others) }
    observeEnd(strap)
  }

  /// Stores the rest and the end of the sessions that have ended. Returns the error of the first session that was not stored.
  private func storeEnding(_ writer: LedgerWriter) async -> RepositoryError? {
    // Sessions with pending rows, and sessions whose failure must not delay the others.
    var waiting: [LiveSession] = []
    var failure: RepositoryError?
    defer { ending = waiting + ending }
    while var session = ending.first, let description = session.description {
      do throws(RepositoryError) {
        if let rest = session.drainUnstored(isLedgerAlone ? .dropped : .stored) {
          let piece = SessionPiece(
            rest, of: description, isBegun: begun.contains(description.id), isResumed: session.isResumed)
          if let refusal = try await writer.store([piece])[0] { throw refusal }
          begun.insert(description.id)
          if let identity = rest.identity { session.wasStored(identity) }
        }
        ending[0] = session
        if session.needsDerivation, !mayDerive {
          session.release()
          waiting.append(session)
        } else if session.needsDerivation {
          try await writer.derive(description.id, isOver: true)
        } else {
          try await writer.finish(description.id)
        }
        ending.removeFirst()
      } catch {
        // The session was deleted in the meantime, so nothing of it is kept.
        if case .sessionNotFound = error {
          ending.removeFirst()
          continue
        }
        let isDerived = ending[0].needsDerivation && ending[0].isStored
        guard isDerived || error.isOfSession || error.isOfValue else { return error }
        failure = failure ?? error
        // Everything except the pending rows is stored.
        if isDerived { lastFailedDerivation = time.now().monotonic }
        var left = ending.removeFirst()
        if error.isOfSession {
          let others = taken.union([description.id])
          left = left.replaced { begin(left.identity, $0, others) }
          guard left.description != nil else { continue }
        }
        waiting.append(left)
      }
    }
    return failure
  }

  /// Whether pending rows may be derived now.
  private var mayDerive: Bool {
    guard !isLedgerAlone else { return false }
    return lastFailedDerivation.map { time.now().monotonic.duration(since: $0) >= Self.derivationRetryInterval } ?? true
  }
}
