import TachogramCore

/// The life of the link to one strap: a pure state machine. It is told what changed and says what to do; it reads no
/// clock and touches nothing. The surroundings are levels, not edges: a change that was missed is made good by the
/// next.
package struct LinkMachine: Sendable {
  /// What is between the phases: the step that runs and when it is overdue.
  private struct Running {
    var step: LinkStep
    var number: Int
    var deadline: MonotonicTime
  }

  /// Links in a row that ended before anything came, after which a bond counts as lost: the strap no longer has the
  /// key, and the encryption that fails is not reported as such.
  private static let mutesOfLostBond = 3
  /// How long after the daemon's answer its own properties may still say that there is no connection.
  private static let settling: Duration = .seconds(2)
  /// How long a subscription may have ended before the link does.
  private static let farewell: Duration = .milliseconds(500)

  private let timing: LinkTiming
  /// Whether a strap that is not bonded is to be.
  private var wantsBond: Bool
  /// Whether it was bonded when notifications were asked for.
  private var wasPaired = false
  private var surroundings = LinkSurroundings(hasBus: false, hasDaemon: false, adapter: .missing)
  private var running: Running?
  private var nextNumber = 0
  private var way: NotificationWay
  private var isSearching = false
  /// The last fault and how often it came in a row.
  private var faults: (last: LinkFault, count: Int)?
  private var retryAt: MonotonicTime?
  private var phaseDeadline: MonotonicTime?
  /// When the subscription was asked for and when it was made, and its last notification.
  private var askedAt: MonotonicTime?
  private var subscribedAt: MonotonicTime?
  private var lastNotification: MonotonicTime?
  private var hasNotified = false
  private var hasResubscribed = false
  private var hasEnded = false
  /// Whether the bond was made on this link.
  private var hasPaired = false
  /// Links in a row that ended before anything came.
  private var mutes = 0
  private var random: SplitMix

  package private(set) var state: LinkState

  /// `way`: how notifications are asked for first. `wantsBond`: whether a strap that is not bonded is to be. `seed`
  /// of the jitter.
  package init(
    timing: LinkTiming = LinkTiming(), way: NotificationWay = .acquire, wantsBond: Bool = false, seed: UInt64,
    at now: MonotonicTime,
  ) {
    self.timing = timing
    self.way = way
    self.wantsBond = wantsBond
    random = SplitMix(state: seed)
    state = LinkState(phase: .idle, since: now)
  }

  /// When `tick` is due; `nil` while only the surroundings can change anything.
  package var deadline: MonotonicTime? {
    if let running { return running.deadline }
    return [retryAt, phaseDeadline].compactMap(\.self).min()
  }

  /// The way that works with this strap as far as is known; the next link begins with it.
  package var preferredWay: NotificationWay { way }

  /// Whether a strap that is in range is connected at once.
  package func mayConnect(at now: MonotonicTime) -> Bool {
    switch state.phase {
    case .idle, .daemonAbsent, .adapterAbsent, .scanning: true
    case .backingOff: running == nil && now >= retryAt ?? now
    case .connecting, .resolving, .subscribing, .live, .silent: false
    }
  }

  /// Takes `input` at `now`. `heard` is when the last notification of the link came.
  package mutating func handle(_ input: LinkInput, heard: MonotonicTime? = nil, at now: MonotonicTime) -> [LinkAction] {
    var actions: [LinkAction] = []
    if let heard { notified(heard) }
    switch input {
    case .surroundings(let new): surroundings = new
    case .ended(let number, let fault):
      guard let step = running?.step, running?.number == number else { return [] }
      running = nil
      ended(step, fault, now, &actions)
    case .notification: notified(now)
    case .subscriptionEnded:
      if subscribedAt != nil {
        hasEnded = true
        phaseDeadline = now.advanced(by: Self.farewell)
      }
    case .tick: break
    }
    advance(now, &actions)
    return actions
  }

  /// What came before the subscription was asked for belongs to the one before.
  private mutating func notified(_ time: MonotonicTime) {
    guard let askedAt, time >= askedAt else { return }
    lastNotification = max(lastNotification ?? time, time)
  }

  // MARK: - The phases

  /// Moves on as far as the surroundings and the time allow.
  private mutating func advance(_ now: MonotonicTime, _ actions: inout [LinkAction]) {
    if let (phase, reason) = obstacle() {
      if state.phase != phase || state.reason != reason { leave(to: phase, reason, now, &actions) }
      return
    }
    if let running, now >= running.deadline {
      self.running = nil
      actions.append(.abandon)
      ended(running.step, .timedOut, now, &actions)
    }
    switch state.phase {
    case .idle, .daemonAbsent, .adapterAbsent: search(now, &actions)
    case .backingOff: if mayConnect(at: now) { search(now, &actions) }
    case .scanning: scanning(now, &actions)
    case .connecting: connecting(now, &actions)
    case .resolving: resolving(now, &actions)
    case .subscribing, .live, .silent: listening(now, &actions)
    }
  }

  /// What makes any attempt vain.
  private func obstacle() -> (LinkPhase, LinkReason)? {
    if !surroundings.hasBus { return (.daemonAbsent, .noBus) }
    if !surroundings.hasDaemon { return (.daemonAbsent, .noDaemon) }
    switch surroundings.adapter {
    case .missing: return (.adapterAbsent, .adapterMissing)
    case .off: return (.adapterAbsent, .adapterOff)
    case .blocked: return (.adapterAbsent, .adapterBlocked)
    case .ready: return nil
    }
  }

  private mutating func search(_ now: MonotonicTime, _ actions: inout [LinkAction]) {
    retryAt = nil
    let reason = state.phase == .backingOff ? state.reason : nil
    enter(.scanning, reason, now)
    scanning(now, &actions)
  }

  private mutating func scanning(_ now: MonotonicTime, _ actions: inout [LinkAction]) {
    guard let device = surroundings.device, device.isConnected || device.isInRange else {
      want(search: true, &actions)
      return
    }
    want(search: false, &actions)
    if device.isConnected {
      enter(.resolving, nil, now)
      resolving(now, &actions)
    } else {
      enter(.connecting, nil, now)
      begin(.connect, timing.connect, now, &actions)
    }
  }

  private mutating func connecting(_ now: MonotonicTime, _ actions: inout [LinkAction]) {
    guard running == nil else { return }
    if surroundings.device?.isConnected == true {
      enter(.resolving, nil, now)
      resolving(now, &actions)
    } else if now >= phaseDeadline ?? now {
      fail(.linkLost, now, &actions)
    }
  }

  private mutating func resolving(_ now: MonotonicTime, _ actions: inout [LinkAction]) {
    if running != nil { return }
    guard let device = surroundings.device, device.isConnected else { return fail(.linkLost, now, &actions) }
    guard device.servicesResolved else {
      let due = phaseDeadline ?? now.advanced(by: timing.resolve)
      phaseDeadline = due
      if now >= due { fail(.timedOut, now, &actions) }
      return
    }
    // Not before: BlueZ 5.66 never answers a pairing that is done while it still reads what the strap offers.
    if wantsBond, !device.isPaired, !hasPaired { return begin(.pair, timing.pair, now, &actions) }
    guard device.hasHeartRate else { return fail(.noHeartRateService, now, &actions) }
    enter(.subscribing, nil, now)
    begin(.subscribe(way), timing.subscribe, now, &actions)
  }

  /// The watchdog of a link that is up.
  private mutating func listening(_ now: MonotonicTime, _ actions: inout [LinkAction]) {
    guard surroundings.device?.isConnected == true else { return fail(.linkLost, now, &actions) }
    guard let subscribedAt else { return }
    if hasEnded {
      if now >= phaseDeadline ?? now { resubscribe(now, &actions) }
      return
    }
    if lastNotification != nil, !hasNotified {
      hasNotified = true
      mutes = 0
    }
    let heard = lastNotification ?? subscribedAt
    let silence = now.duration(since: heard)
    if hasNotified, silence < timing.stale {
      // The cure worked; the next silence is a new one.
      hasResubscribed = false
      enter(.live, nil, now)
      if now.duration(since: subscribedAt) >= timing.recovered { faults = nil }
    } else if hasNotified {
      enter(.silent, .silence, now)
    }
    if silence >= timing.reconnect { return fail(.silence, now, &actions) }
    let patience = hasNotified ? timing.resubscribe : timing.firstNotification
    if silence >= patience, !hasResubscribed { return resubscribe(now, &actions) }
    let next = [timing.stale, hasResubscribed ? nil : patience, timing.reconnect].compactMap(\.self)
    phaseDeadline = next.filter { $0 > silence }.min().map { heard.advanced(by: $0) }
  }

  // MARK: - Steps

  private mutating func ended(
    _ step: LinkStep, _ fault: LinkFault?, _ now: MonotonicTime, _ actions: inout [LinkAction],
  ) {
    switch (step, fault) {
    case (.connect, nil): phaseDeadline = now.advanced(by: Self.settling)
    case (.subscribe, nil): subscribedAt = now
    case (.subscribe(let tried), .wayRefused?) where faults?.last != .wayRefused:
      faults = (.wayRefused, 1)
      way = tried.other
      begin(.subscribe(way), timing.subscribe, now, &actions)
    // The strap wanted a bond, the daemon made one, and lost the subscription over it (BlueZ 5.66, when the strap is
    // quick): it keeps the socket for us and never answers. It is to forget, and the bond comes first the next time.
    case (.subscribe(.acquire), .timedOut?) where !wasPaired && surroundings.device?.isPaired == true:
      wantsBond = true
      fail(.notAuthorised, now, &actions)
    // The daemon never answers when the strap refuses the socket; it does answer the other way.
    case (.subscribe(.acquire), .timedOut?):
      way = .signals
      actions.append(.unsubscribe)
      begin(.subscribe(way), timing.subscribe, now, &actions)
    case (.subscribe, .notAuthorised?) where surroundings.device?.isPaired == false:
      enter(.resolving, .notAuthorised, now)
      begin(.pair, timing.pair, now, &actions)
    case (.pair, nil): hasPaired = true
    case (.disconnect, _), (.forget, _): break
    case (_, let fault?): fail(fault, now, &actions)
    }
  }

  /// The link is up and its notifications are not: they are asked for again, the other way.
  private mutating func resubscribe(_ now: MonotonicTime, _ actions: inout [LinkAction]) {
    if hasResubscribed { return fail(.silence, now, &actions) }
    let reason: LinkReason? = hasNotified ? .silence : nil
    way = way.other
    actions.append(.unsubscribe)
    clearSubscription()
    hasResubscribed = true
    enter(.subscribing, reason, now)
    begin(.subscribe(way), timing.subscribe, now, &actions)
  }

  private mutating func begin(
    _ step: LinkStep, _ limit: Duration, _ now: MonotonicTime, _ actions: inout [LinkAction],
  ) {
    if case .subscribe = step {
      askedAt = now
      wasPaired = surroundings.device?.isPaired == true
    }
    nextNumber += 1
    running = Running(step: step, number: nextNumber, deadline: now.advanced(by: limit))
    actions.append(.begin(step, number: nextNumber))
  }

  // MARK: - Changing phase

  private mutating func enter(_ phase: LinkPhase, _ reason: LinkReason?, _ now: MonotonicTime) {
    phaseDeadline = nil
    if phase != state.phase || reason != state.reason { state = LinkState(phase: phase, reason: reason, since: now) }
  }

  private mutating func want(search: Bool, _ actions: inout [LinkAction]) {
    guard search != isSearching else { return }
    isSearching = search
    actions.append(.search(search))
  }

  /// Gives up what was reached, and waits before the next attempt.
  private mutating func fail(_ fault: LinkFault, _ now: MonotonicTime, _ actions: inout [LinkAction]) {
    let count = faults?.last == fault ? (faults?.count ?? 0) + 1 : 1
    faults = (fault, count)
    if fault == .wayRefused { way = way.other }
    let wasConnected = surroundings.device?.isConnected == true
    if fault == .linkLost, state.phase.isConnected, !hasNotified { mutes += 1 }
    leave(to: .backingOff, fault.reason, now, &actions)
    retryAt = now.advanced(
      by: LinkBackOff.delay(after: fault, attempt: count, jitter: random.unit()))
    if shouldForget(fault, count) {
      begin(.forget, timing.connect, now, &actions)
    } else if wasConnected {
      begin(.disconnect, timing.connect, now, &actions)
    }
  }

  /// Whether the daemon's memory of the strap is the fault: a bond that the strap no longer has, a cache without its
  /// services.
  private mutating func shouldForget(_ fault: LinkFault, _ count: Int) -> Bool {
    let isPaired = surroundings.device?.isPaired == true
    switch fault {
    case .notAuthorised: return isPaired
    // Once, a new link may resolve what the one before did not.
    case .noHeartRateService: return count > 1
    case .linkLost:
      guard isPaired, mutes >= Self.mutesOfLostBond else { return false }
      mutes = 0
      return true
    default: return false
    }
  }

  private mutating func leave(
    to phase: LinkPhase, _ reason: LinkReason, _ now: MonotonicTime, _ actions: inout [LinkAction],
  ) {
    if running != nil { actions.append(.abandon) }
    if subscribedAt != nil { actions.append(.unsubscribe) }
    running = nil
    clearSubscription()
    hasResubscribed = false
    hasPaired = false
    retryAt = nil
    want(search: false, &actions)
    enter(phase, reason, now)
  }

  private mutating func clearSubscription() {
    askedAt = nil
    subscribedAt = nil
    lastNotification = nil
    hasNotified = false
    hasEnded = false
  }
}
