import TachogramCore

/// The life of the link to one strap: a pure state machine. It receives what changed and returns what to do; it reads no
/// clock and touches nothing. The surroundings are levels, not edges: a change that was missed is made good by the
/// next. What is known in one phase alone is in its case of `Phase`.
package struct LinkMachine: Sendable {
  /// Links in a row that ended before anything came, after which a bond counts as lost: the strap no longer has the
  /// key, and the encryption that fails is not reported as such.
  private static let silentLinksOfLostBond = 3
  /// How long after the daemon's answer its own properties may still say that there is no connection.
  private static let settling: Duration = .seconds(2)
  /// How long a subscription may have ended before the link does.
  private static let endOfLinkGrace: Duration = .milliseconds(500)

  private let timing: LinkTiming
  private var surroundings = LinkSurroundings(hasBus: false, hasDaemon: false, adapter: .missing)
  private var phase = Phase.idle
  private var reason: LinkReason?
  private var since: MonotonicTime

  // Across links

  /// Whether a strap that is not bonded is to be.
  private var wantsBond: Bool
  private var way: NotificationTransport
  /// The last fault and how often it came in a row.
  private var faults: (last: LinkFault, count: Int)?
  /// Links in a row that ended before anything came.
  private var silentLinkCount = 0
  private var nextNumber = 0
  private var random: SplitMix

  /// `way`: how notifications are asked for first. `wantsBond`: whether a strap that is not bonded is to be. `seed`
  /// of the jitter.
  package init(
    timing: LinkTiming = LinkTiming(), way: NotificationTransport = .acquire, wantsBond: Bool = false, seed: UInt64,
    at now: MonotonicTime,
  ) {
    self.timing = timing
    self.way = way
    self.wantsBond = wantsBond
    random = SplitMix(state: seed)
    since = now
  }

  package var state: LinkState { LinkState(phase: phase.name, reason: reason, since: since) }

  /// When `tick` is due; `nil` while only the surroundings can change anything.
  package var deadline: MonotonicTime? { phase.deadline }

  /// The way that works with this strap as far as is known; the next link begins with it.
  package var preferredWay: NotificationTransport { way }

  /// Whether a strap that is in range is connected at once.
  package func mayConnect(at now: MonotonicTime) -> Bool {
    switch phase {
    case .idle, .daemonAbsent, .adapterAbsent, .scanning: true
    case .backingOff(let until, let tidying): tidying == nil && now >= until
    case .connecting, .settling, .resolving, .listening: false
    }
  }

  /// Takes `input` at `now`. `heard` is when the last notification of the link came.
  package mutating func handle(_ input: LinkInput, heard: MonotonicTime? = nil, at now: MonotonicTime) -> [LinkAction] {
    var actions: [LinkAction] = []
    if let heard { notified(heard) }
    switch input {
    case .surroundings(let new): surroundings = new
    case .ended(let number, let fault):
      guard let running = phase.running, running.number == number else { return [] }
      ended(running.step, fault, now, &actions)
    case .notification: notified(now)
    case .subscriptionEnded:
      if case .listening(let connection, var subscription) = phase, subscription.isMade {
        subscription.stage = .ended(until: now.advanced(by: Self.endOfLinkGrace))
        phase = .listening(connection, subscription)
      }
    case .tick: break
    }
    advance(now, &actions)
    return actions
  }

  /// What came before the subscription was asked for belongs to the one before.
  private mutating func notified(_ time: MonotonicTime) {
    guard case .listening(let connection, var subscription) = phase, time >= subscription.askedAt else { return }
    subscription.lastNotification = max(subscription.lastNotification ?? time, time)
    phase = .listening(connection, subscription)
  }

  // MARK: - The phases

  /// Moves on as far as the surroundings and the time allow.
  private mutating func advance(_ now: MonotonicTime, _ actions: inout [LinkAction]) {
    if let (obstacle, reason) = obstacle() {
      if phase.name != obstacle.name || self.reason != reason { leave(to: obstacle, reason, now, &actions) }
      return
    }
    if let running = phase.running, now >= running.deadline {
      actions.append(.abandon)
      ended(running.step, .timedOut, now, &actions)
    }
    switch phase {
    case .idle, .daemonAbsent, .adapterAbsent: search(nil, now, &actions)
    case .backingOff: if mayConnect(at: now) { search(reason, now, &actions) }
    case .scanning(let isSearching): scanning(isSearching, now, &actions)
    case .connecting: break
    case .settling(let until): settling(until, now, &actions)
    case .resolving(let connection, let due, nil): resolving(connection, due, now, &actions)
    case .resolving: break
    case .listening(let connection, let subscription): listening(connection, subscription, now, &actions)
    }
  }

  /// What makes any attempt fail.
  private func obstacle() -> (Phase, LinkReason)? {
    if !surroundings.hasBus { return (.daemonAbsent, .noBus) }
    if !surroundings.hasDaemon { return (.daemonAbsent, .noDaemon) }
    switch surroundings.adapter {
    case .missing: return (.adapterAbsent, .adapterMissing)
    case .off: return (.adapterAbsent, .adapterOff)
    case .blocked: return (.adapterAbsent, .adapterBlocked)
    case .ready: return nil
    }
  }

  private mutating func search(_ reason: LinkReason?, _ now: MonotonicTime, _ actions: inout [LinkAction]) {
    enter(.scanning(isSearching: false), reason, now)
    scanning(false, now, &actions)
  }

  private mutating func scanning(_ isSearching: Bool, _ now: MonotonicTime, _ actions: inout [LinkAction]) {
    guard let device = surroundings.device, device.isConnected || device.isInRange else {
      if !isSearching { actions.append(.search(true)) }
      phase = .scanning(isSearching: true)
      return
    }
    if isSearching { actions.append(.search(false)) }
    if device.isConnected {
      connected(now, &actions)
    } else {
      enter(.connecting(begin(.connect, timing.connect, now, &actions)), nil, now)
    }
  }

  /// The connection may be seen late.
  private mutating func settling(_ until: MonotonicTime, _ now: MonotonicTime, _ actions: inout [LinkAction]) {
    if surroundings.device?.isConnected == true {
      connected(now, &actions)
    } else if now >= until {
      fail(.linkLost, now, &actions)
    }
  }

  private mutating func connected(_ now: MonotonicTime, _ actions: inout [LinkAction]) {
    enter(.resolving(Connection(), due: nil, pairing: nil), nil, now)
    resolving(Connection(), nil, now, &actions)
  }

  private mutating func resolving(
    _ connection: Connection, _ due: MonotonicTime?, _ now: MonotonicTime, _ actions: inout [LinkAction],
  ) {
    guard let device = surroundings.device, device.isConnected else { return fail(.linkLost, now, &actions) }
    guard device.servicesResolved else {
      let due = due ?? now.advanced(by: timing.resolve)
      phase = .resolving(connection, due: due, pairing: nil)
      if now >= due { fail(.timedOut, now, &actions) }
      return
    }
    // Not before: BlueZ 5.66 never answers a pairing that is done while it still reads what the strap offers.
    if wantsBond, !device.isPaired, !connection.hasPaired {
      phase = .resolving(connection, due: due, pairing: begin(.pair, timing.pair, now, &actions))
      return
    }
    guard device.hasHeartRate else { return fail(.noHeartRateService, now, &actions) }
    subscribe(connection, nil, now, &actions)
  }

  /// The watchdog of a link that is up.
  private mutating func listening(
    _ connection: Connection, _ subscription: Subscription, _ now: MonotonicTime, _ actions: inout [LinkAction],
  ) {
    guard surroundings.device?.isConnected == true else { return fail(.linkLost, now, &actions) }
    switch subscription.stage {
    case .asked: break
    case .ended(let until): if now >= until { resubscribe(connection, subscription, now, &actions) }
    case .made(let madeAt, _): watch(connection, subscription, madeAt, now, &actions)
    }
  }

  private mutating func watch(
    _ connection: Connection, _ subscription: Subscription, _ madeAt: MonotonicTime, _ now: MonotonicTime,
    _ actions: inout [LinkAction],
  ) {
    var (connection, subscription) = (connection, subscription)
    let heard = subscription.lastNotification ?? madeAt
    let silence = now.duration(since: heard)
    let hasNotified = subscription.lastNotification != nil
    if hasNotified {
      if subscription.hearing == .nothing { silentLinkCount = 0 }
      subscription.hearing = silence < timing.stale ? .live : .silent
      if subscription.hearing == .live {
        // The cure worked; the next silence is a new one.
        connection.hasResubscribed = false
        if now.duration(since: madeAt) >= timing.recovered { faults = nil }
      }
      enter(
        .listening(connection, subscription), subscription.hearing == .live ? nil : .silence, now)
    }
    if silence >= timing.reconnect { return fail(.silence, now, &actions) }
    let resubscribeAfter = hasNotified ? timing.resubscribe : timing.firstNotification
    if silence >= resubscribeAfter, !connection.hasResubscribed {
      return resubscribe(connection, subscription, now, &actions)
    }
    let next = [timing.stale, connection.hasResubscribed ? nil : resubscribeAfter, timing.reconnect].compactMap(\.self)
    let due = next.filter { $0 > silence }.min().map { heard.advanced(by: $0) }
    subscription.stage = .made(at: madeAt, watch: due)
    phase = .listening(connection, subscription)
  }

  // MARK: - Steps

  /// A step has ended, which is in `phase` still.
  private mutating func ended(
    _ step: LinkStep, _ fault: LinkFault?, _ now: MonotonicTime, _ actions: inout [LinkAction],
  ) {
    switch (phase, fault) {
    case (.connecting, nil): phase = .settling(until: now.advanced(by: Self.settling))
    case (.resolving(var connection, let due, _), nil):
      connection.hasPaired = true
      phase = .resolving(connection, due: due, pairing: nil)
    case (.backingOff(let until, _), _): phase = .backingOff(until: until, tidying: nil)
    case (.listening(let connection, var subscription), nil):
      subscription.stage = .made(at: now, watch: nil)
      phase = .listening(connection, subscription)
    case (.listening(let connection, let subscription), let fault?):
      refused(step, fault, connection, subscription, now, &actions)
    case (_, let fault?): fail(fault, hasStepEnded: true, now, &actions)
    case (_, nil): break
    }
  }

  /// The request for notifications failed.
  private mutating func refused(
    _ step: LinkStep, _ fault: LinkFault, _ connection: Connection, _ subscription: Subscription,
    _ now: MonotonicTime, _ actions: inout [LinkAction],
  ) {
    let isPaired = surroundings.device?.isPaired
    switch (fault, step) {
    case (.wayRefused, .subscribe(let tried)) where faults?.last != .wayRefused:
      faults = (.wayRefused, 1)
      way = tried.other
      subscribe(connection, subscription, now, &actions)
    // The strap wanted a bond, the daemon made one, and lost the subscription over it (BlueZ 5.66, when the strap is
    // quick): it keeps the socket for us and never answers. It is to forget, and the bond comes first the next time.
    case (.timedOut, .subscribe(.acquire)) where !subscription.wasPaired && isPaired == true:
      wantsBond = true
      fail(.notAuthorised, hasStepEnded: true, now, &actions)
    // The daemon never answers when the strap refuses the socket; it does answer the other way.
    case (.timedOut, .subscribe(.acquire)):
      way = .signals
      actions.append(.unsubscribe)
      subscribe(connection, subscription, now, &actions)
    case (.notAuthorised, _) where isPaired == false:
      let pairing = begin(.pair, timing.pair, now, &actions)
      enter(.resolving(connection, due: nil, pairing: pairing), .notAuthorised, now)
    default: fail(fault, hasStepEnded: true, now, &actions)
    }
  }

  /// Asks for notifications, in the place of `previous` where another way was tried.
  private mutating func subscribe(
    _ connection: Connection, _ previous: Subscription?, _ now: MonotonicTime, _ actions: inout [LinkAction],
  ) {
    let step = begin(.subscribe(way), timing.subscribe, now, &actions)
    let subscription = Subscription(
      askedAt: now, wasPaired: surroundings.device?.isPaired == true, stage: .asked(step),
      lastNotification: previous?.lastNotification)
    enter(.listening(connection, subscription), previous == nil ? nil : reason, now)
  }

  /// The link is up and its notifications are not: they are asked for again, the other way.
  private mutating func resubscribe(
    _ connection: Connection, _ subscription: Subscription, _ now: MonotonicTime, _ actions: inout [LinkAction],
  ) {
    if connection.hasResubscribed { return fail(.silence, now, &actions) }
    way = way.other
    actions.append(.unsubscribe)
    var connection = connection
    connection.hasResubscribed = true
    let step = begin(.subscribe(way), timing.subscribe, now, &actions)
    let next = Subscription(
      askedAt: now, wasPaired: surroundings.device?.isPaired == true, stage: .asked(step))
    enter(.listening(connection, next), subscription.hearing == .nothing ? nil : .silence, now)
  }

  private mutating func begin(
    _ step: LinkStep, _ limit: Duration, _ now: MonotonicTime, _ actions: inout [LinkAction],
  ) -> RunningStep {
    nextNumber += 1
    actions.append(.begin(step, number: nextNumber))
    return RunningStep(step: step, number: nextNumber, deadline: now.advanced(by: limit))
  }

  // MARK: - Changing phase

  private mutating func enter(_ phase: Phase, _ reason: LinkReason?, _ now: MonotonicTime) {
    if phase.name != self.phase.name || reason != self.reason { since = now }
    (self.phase, self.reason) = (phase, reason)
  }

  /// Gives up what was reached, and waits before the next attempt. `hasStepEnded`: the step of the phase is over already.
  private mutating func fail(
    _ fault: LinkFault, hasStepEnded: Bool = false, _ now: MonotonicTime, _ actions: inout [LinkAction],
  ) {
    let count = faults?.last == fault ? (faults?.count ?? 0) + 1 : 1
    faults = (fault, count)
    if fault == .wayRefused { way = way.other }
    if fault == .linkLost, isSilentLink { silentLinkCount += 1 }
    let delay = LinkBackOff.delay(after: fault, attempt: count, jitter: random.unit())
    let until = now.advanced(by: delay)
    leave(to: .backingOff(until: until, tidying: nil), fault.reason, hasStepEnded: hasStepEnded, now, &actions)
    if shouldForget(fault, count) {
      phase = .backingOff(until: until, tidying: begin(.forget, timing.connect, now, &actions))
    } else if surroundings.device?.isConnected == true {
      phase = .backingOff(until: until, tidying: begin(.disconnect, timing.connect, now, &actions))
    }
  }

  /// Whether there is a connection on which nothing has come.
  private var isSilentLink: Bool {
    switch phase {
    case .resolving: true
    case .listening(_, let subscription): subscription.hearing == .nothing
    default: false
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
      guard isPaired, silentLinkCount >= Self.silentLinksOfLostBond else { return false }
      silentLinkCount = 0
      return true
    default: return false
    }
  }

  private mutating func leave(
    to next: Phase, _ reason: LinkReason, hasStepEnded: Bool = false, _ now: MonotonicTime,
    _ actions: inout [LinkAction],
  ) {
    if phase.running != nil, !hasStepEnded { actions.append(.abandon) }
    if case .listening(_, let subscription) = phase, subscription.isMade { actions.append(.unsubscribe) }
    if case .scanning(isSearching: true) = phase { actions.append(.search(false)) }
    enter(next, reason, now)
  }
}
