import Pipeline
import Repository
import StressKit
import TachogramCore

/// Takes the events of a source through sessions, and stores them when there is somewhere to. Storing runs beside:
/// what is shown and what is heard never wait for the disk.
package actor LiveRecorder {
  /// What an event led to, for whoever shows it.
  package struct Update: Sendable {
    package let event: StrapEvent
    package let batch: SessionBatch
    /// The strap's session as it is now; `nil` until the strap is identified. Not to be kept: it would be copied.
    package let live: LiveSession?
    /// Why what was heard is not stored, as far as is known by now; `nil` when it is.
    package let storageFailure: RepositoryError?

    package var session: SessionDescription? { live?.description }
  }

  /// The session of one strap at its end.
  package struct Ended: Sendable {
    package let report: SessionReport
    package let statistics: LinkStatistics
  }

  /// Between two attempts to derive pending rows.
  private static let derivationRetryInterval: Duration = .seconds(60)

  private let source: any RadioSourceProtocol
  private let options: LiveOptions
  private let time: any TimeSourceProtocol
  private let database: TachogramDatabase?
  private let writer: LedgerWriter?
  private let observe: @Sendable (Update) -> Void
  private let observeEnd: @Sendable (Int) -> Void
  private var sessions: [Int: LiveSession] = [:]
  /// Straps that are listened to no longer, and whose sessions have not ended yet.
  private var dismissed: Set<Int> = []
  /// Sessions that have ended and are not stored whole.
  private var ending: [LiveSession] = []
  private var begun: Set<String> = []
  /// Sessions that were cut off when this recorder began: what looks so later is recorded by another.
  private var interrupted: Set<String> = []
  private var isStoring = false
  /// Those who wait for a commit that is under way.
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var rhythm: CommitRhythm
  private var isLedgerAlone = false
  /// When pending rows of a session could not be derived.
  private var lastFailedDerivation: MonotonicTime?
  /// Stops the source when the duration is over.
  private var end: Task<Void, Never>?
  /// Whether it listens.
  package private(set) var isRunning = false
  /// Why the last attempt to store failed; `nil` when it succeeded.
  package private(set) var storageFailure: RepositoryError?

  /// `observe` receives every event when it was handled, and `observeEnd` of straps whose session has ended, which
  /// no event tells.
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
    rhythm = CommitRhythm(derivationInterval: options.derivationInterval)
    writer = options.isStored ? database.map(LedgerWriter.init(database:)) : nil
  }

  /// Listens until the source ends, the duration is over or the task is cancelled; then ends the sessions in order.
  /// Throws what kept the last of it from being stored.
  package func run() async throws -> [Ended] {
    isRunning = true
    defer { isRunning = false }
    if options.resumes, let database { interrupted = InterruptedSession.all(in: database) }
    let storing = Task { await self.keepStoring() }
    let asked = writer == nil ? nil : database.flatMap { CommitListener(database: $0) { await self.commit() } }
    defer { asked?.close() }
    let events = source.events()
    // A task of its own: a stream ends at once for a task that is cancelled, and the events of the end would be lost.
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

  /// Whether what derives from the ledger is not stored, as on a disk that is nearly full. It is derived from the stored
  /// ledger when it is again.
  package func keepLedgerAlone(_ isLedgerAlone: Bool) {
    self.isLedgerAlone = isLedgerAlone
  }

  // MARK: - Events

  private func handle(_ event: StrapEvent) {
    var news = SessionBatch()
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
          begin(identity, entry, others)
        } ?? news
      if end == nil, let duration = options.duration { setEnd(event.monotonic.advanced(by: duration)) }
    case .linkDown(let reason):
      news = sessions[event.strap]?.linkDown(reason: reason, monotonic: event.monotonic, wall: event.wall) ?? news
    case .state, .signal: break
    case .dismissed: dismissed.insert(event.strap)
    }
    if writer == nil { sessions[event.strap]?.dropPending() }
    let live = dismissed.contains(event.strap) ? nil : sessions[event.strap]
    observe(Update(event: event, batch: news, live: live, storageFailure: storageFailure))
  }

  /// How a session begins. That the database cannot be read now keeps nothing from being heard: then the session is a new
  /// one, and is measured against the default baseline. `others` are sessions that cannot go on with it.
  private func begin(
    _ identity: StrapIdentity, _ first: LedgerEntry, _ others: Set<String>,
  ) -> LiveSession.Start {
    let id = SessionDescription.identifier(strap: identity.address, first: first)
    let wearer = options.wearer(identity.address)
    let session = SessionDescription(
      id: id, strap: identity, origin: .live, person: wearer.person, label: wearer.label,
      deviceID: options.deviceID ?? SessionDescription.unknownDevice, start: first.wall, monotonicStart: first.monotonic
    )
    do {
      if options.resumes, let database,
        let interrupted = try InterruptedSession.find(
          of: identity, options: options, at: first.wall, among: interrupted.subtracting(others), in: database)
      {
        return .resumed(interrupted)
      }
      return .new(try SessionDeriver(session, kind: options.kind, in: database))
    } catch {
      if let error = error as? RepositoryError { storageFailure = error }
      let baseline = PersonalBaseline.default(kind: options.kind, lastUpdated: session.start.date)
      return .new(SessionDeriver(session, baseline: baseline))
    }
  }

  /// The sessions that this recorder has begun, goes on with or is ending.
  package var taken: Set<String> {
    begun.union((sessions.values + ending).compactMap { $0.description?.id })
  }

  // MARK: - The end

  /// Stops the source when the duration is over.
  private func setEnd(_ due: MonotonicTime) {
    end = Task { [source, time] in
      do { try await time.sleep(until: due) } catch { return }
      await source.stop()
    }
  }

  /// Ends the sessions in order. What could not be stored whole is left as a session that was cut off.
  private func finish() async throws -> [Ended] {
    var ended: [Ended] = []
    rhythm.isEnding = true
    for strap in sessions.keys {
      sessions[strap]?.finish()
      observeEnd(strap)
    }
    await store()
    // Nobody will try later: what failed may have been a lock that is gone by now.
    if storageFailure != nil { await store() }
    var failure = storageFailure
    for strap in sessions.keys.sorted() {
      guard let session = sessions[strap], let id = session.description?.id, let report = session.report() else {
        continue
      }
      if let writer {
        guard session.isStored else { continue }
        // Left as cut off: its pending rows are derived when there is space.
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

  /// Stores all that was heard until now, with what derives from it, for somebody who asks the database; no more than once a
  /// second. For a minute each commit stores both then.
  package func commit() async {
    guard writer != nil, rhythm.ask(at: time.now().monotonic) else { return }
    await store()
  }

  /// Ends the sessions of straps that are listened to no longer, and of those that were put away: what is heard of one
  /// later begins another. Nothing of a session is on its way to the disk meanwhile.
  private func closeIdleSessions() {
    for strap in dismissed {
      guard var session = sessions.removeValue(forKey: strap), session.description != nil else { continue }
      session.finish()
      ending.append(session)
    }
    dismissed = []
    guard let endAfter = options.endAfter else { return }
    let now = time.now().monotonic
    for strap in sessions.keys {
      guard let last = sessions[strap]?.lastNotification, now.duration(since: last) >= endAfter,
        let successor = sessions[strap]?.successor(), var session = sessions.updateValue(successor, forKey: strap)
      else { continue }
      session.finish()
      ending.append(session)
      observeEnd(strap)
    }
  }

  /// Stores what is pending, one commit after the other. What cannot be stored now is kept and tried again; what cannot be
  /// derived, after a minute. `endingOver`: sessions that are over end before.
  private func store(endingOver: Bool = false) async {
    guard let writer else { return }
    while isStoring { await withCheckedContinuation { waiting.append($0) } }
    isStoring = true
    defer {
      isStoring = false
      for waiter in waiting { waiter.resume() }
      waiting = []
    }
    if endingOver { closeIdleSessions() }
    let now = time.now().monotonic
    let rows = isLedgerAlone ? .dropped : rhythm.rows(at: now)
    let ended = await storeEnding(writer)
    let running = await storeRunning(writer, rows)
    storageFailure = running ?? ended
    if rows == .stored, storageFailure == nil { rhythm.wasWhole(at: now) }
  }

  /// Stores what is new of the sessions that run, all in one transaction, and derives the pending rows of those that are stored.
  /// Returns what kept the last of them that was not stored from it.
  private func storeRunning(_ writer: LedgerWriter, _ derived: DerivedRows) async -> RepositoryError? {
    // Only what is stored is held over the wait: a session that is held is copied, with its history, by the next beat.
    var rests: [(strap: Int, rest: LiveSession.Unstored)] = []
    var pieces: [SessionPiece] = []
    for strap in sessions.keys.sorted() {
      guard let session = sessions[strap]?.description else { continue }
      // All of what derives from it is stored with the beginning of a session.
      let rows = derived == .kept && !begun.contains(session.id) ? .stored : derived
      guard let rest = sessions[strap]?.drainUnstored(rows, kind: options.kind) else { continue }
      rests.append((strap, rest))
      pieces.append(piece(rest, of: session, isResumed: sessions[strap]?.isResumed == true))
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

  /// Goes on with another session where the one of a strap was deleted, or another recorder goes on with it: what is not
  /// stored, `rest` first, is its beginning.
  private func startReplacement(_ strap: Int, _ rest: LiveSession.Unstored) {
    guard let session = sessions[strap] else { return }
    let others = taken
    sessions[strap] = session.replaced(rest) { begin(session.identity, $0, others) }
    observeEnd(strap)
  }

  /// Stores the rest of the sessions that have ended, and their end. Returns what kept the first of them from being
  /// stored.
  private func storeEnding(_ writer: LedgerWriter) async -> RepositoryError? {
    // Those that wait for their pending rows, and those that are tried again without holding up the others.
    var waiting: [LiveSession] = []
    var failure: RepositoryError?
    defer { ending = waiting + ending }
    while var session = ending.first, let description = session.description {
      do throws(RepositoryError) {
        if let rest = session.drainUnstored(isLedgerAlone ? .dropped : .stored, kind: options.kind) {
          let piece = piece(rest, of: description, isResumed: session.isResumed)
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
        // Somebody deleted it meanwhile: nothing of it is to be kept.
        if case .sessionNotFound = error {
          ending.removeFirst()
          continue
        }
        let isDerived = ending[0].needsDerivation && ending[0].isStored
        guard isDerived || error.isOfSession || error.isOfValue else { return error }
        failure = failure ?? error
        // All but its pending rows is stored.
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

  /// Whether pending rows are to be derived now.
  private var mayDerive: Bool {
    guard !isLedgerAlone else { return false }
    return lastFailedDerivation.map { time.now().monotonic.duration(since: $0) >= Self.derivationRetryInterval } ?? true
  }

  private func piece(
    _ rest: LiveSession.Unstored, of session: SessionDescription, isResumed: Bool,
  ) -> SessionPiece {
    // One that goes on is begun anew with all that derives from it; without that it is only added to.
    let needsDerivation = if case .pending = rest.derivation { true } else { false }
    let isBegun = begun.contains(session.id) || isResumed && needsDerivation
    return SessionPiece(
      isBegun ? .continuation(session.id) : .beginning(session), rest.batch, describing: rest.identity,
      derivation: rest.derivation)
  }
}
