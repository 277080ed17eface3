import TachogramCore

/// A pure state machine of the link to one strap. It receives inputs and returns actions; it reads no clock and has no side
/// effects. The surroundings are levels, not edges: a missed change is corrected by the next one. State that is specific to a
/// phase is stored in its case of `Phase`.
package struct LinkMachine: Sendable {
  /// The number of consecutive links without a notification after which a bond counts as lost: the strap no longer has the key,
  /// and the failure of the encryption is not reported as such.
  private static let silentLinksOfLostBond = 3
  /// The time after the daemon's reply for which its properties may still report no connection.
  private static let settling: Duration = .seconds(2)
  /// The time after the end of a subscription within which the link may also end.
  private static let endOfLinkGrace: Duration = .milliseconds(500)

  private let timing: LinkTiming
  private var surroundings = LinkSurroundings(hasBus: false, hasDaemon: false, adapter: .missing)
  private var phase = Phase.idle
  private var reason: LinkReason?
  private var since: MonotonicTime

  // Across links

  /// Whether to bond with a strap that is not bonded.
  private var wantsBond: Bool
  private var way: NotificationTransport
  /// The last fault and the number of its consecutive occurrences.
  private var faults: (last: LinkFault, count: Int)?
  /// The number of consecutive links that ended before a notification was received.
  private var silentLinkCount = 0
  private var nextNumber = 0
  private var random: SplitMix

  /// Creates a machine. `way` is the first notification transport to try, `wantsBond` is whether to bond with a strap that is
  /// not bonded, and `seed` is the seed of the jitter.
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

  /// The time at which `tick` is due, or `nil` while only the surroundings can cause a change.
  package var deadline: MonotonicTime? { phase.deadline }

  /// The notification transport that is known to work with this strap. The next link tries it first.
  package var preferredWay: NotificationTransport { way }

  /// Whether a strap that is in range is connected immediately.
  package func mayConnect(at now: MonotonicTime) -> Bool {
    switch phase {
    case .idle, .daemonAbsent, .adapterAbsent, .scanning: true
    case .backingOff(let until, let tidying): tidying == nil && now >= until
    case .connecting, .settling, .resolving, .listening: false
    }
  }

  /// Handles `input` at `now` and returns the actions to perform. `heard` is the time of the last notification of the link.
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

  /// Records the time of a notification. A notification from before the request of the subscription belongs to the previous
  /// one.
  private mutating func notified(_ time: MonotonicTime) {
    guard case .listening(let connection, var subscription) = phase, time >= subscription.askedAt else { return }
    subscription.lastNotification = max(subscription.lastNotification ?? time, time)
    phase = .listening(connection, subscription)
  }

  // MARK: - The phases

  /// Advances the phase as far as the surroundings and the time allow.
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

  /// The obstacle that would make any attempt fail, or `nil` if there is none.
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

  /// Waits for the connection to appear in the daemon's properties, which may be delayed.
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
    // Not earlier: BlueZ 5.66 never replies to a pairing request that completes while it is still discovering the services of
    // the strap.
    if wantsBond, !device.isPaired, !connection.hasPaired {
      phase = .resolving(connection, due: due, pairing: begin(.pair, timing.pair, now, &actions))
      return
    }
    guard device.hasHeartRate else { return fail(.noHeartRateService, now, &actions) }
    subscribe(connection, nil, now, &actions)
  }

  /// The watchdog of an established link.
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
        // Subscribing again has helped; the next silence is a new one.
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

  /// Handles the end of a step, which is still part of `phase`.
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

  /// Handles a failed request for notifications.
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
    // The strap required a bond, and the daemon created one but lost the subscription (BlueZ 5.66, when the strap is quick): it
    // keeps the socket reserved and never replies. The daemon must forget the strap, and the next link bonds first.
    case (.timedOut, .subscribe(.acquire)) where !subscription.wasPaired && isPaired == true:
      wantsBond = true
      fail(.notAuthorised, hasStepEnded: true, now, &actions)
    // The daemon never replies if the strap refuses the socket. It does reply for the other transport.
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

  /// Requests notifications, replacing `previous` if another transport was tried.
  private mutating func subscribe(
    _ connection: Connection, _ previous: Subscription?, _ now: MonotonicTime, _ actions: inout [LinkAction],
  ) {
    let step = begin(.subscribe(way), timing.subscribe, now, &actions)
    let subscription = Subscription(
      askedAt: now, wasPaired: surroundings.device?.isPaired == true, stage: .asked(step),
      lastNotification: previous?.lastNotification)
    enter(.listening(connection, subscription), previous == nil ? nil : reason, now)
  }

  /// Requests notifications again with the other transport, because an established link does not deliver them.
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

  /// Abandons the current phase and waits before the next attempt. `hasStepEnded` is whether the step of the phase has already
  /// ended.
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

  /// Whether there is a connection without any notification.
  private var isSilentLink: Bool {
    switch phase {
    case .resolving: true
    case .listening(_, let subscription): subscription.hearing == .nothing
    default: false
    }
  }

  /// Whether the fault is caused by the daemon's stored data of the strap: a bond that the strap no longer has, or a cache
  /// without its services.
  private mutating func shouldForget(_ fault: LinkFault, _ count: Int) -> Bool {
    let isPaired = surroundings.device?.isPaired == true
    switch fault {
    case .notAuthorised: return isPaired
    // At the first occurrence, a new link may resolve the service.
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
