import CMosquitto
import Glibc
import Threads

/// The work of a client's thread: connections, one after the other, until the client closes.
struct MQTTLoop {
  /// How many messages are sent before the connection is read again.
  private static let burst = 64
  /// The longest wait for the broker to close the connection after DISCONNECT.
  private static let linger = Duration.seconds(1)

  let library: tachogram_mosquitto
  let configuration: MQTTConfiguration
  let mailbox: MQTTMailbox
  let sleep: @Sendable (Duration) async -> Void
  let random: @Sendable () -> Double

  private var clock: ContinuousClock { ContinuousClock() }

  func run() {
    var backoff = MQTTBackoff()
    // After a failure of the network, the next attempt uses the other family of addresses: libmosquitto tries only the first.
    var isIPv4 = false
    // A client that is closed at once still sends what it was given.
    while mailbox.closing == nil || !mailbox.isQueueEmpty {
      mailbox.noteAttempt()
      let session = MQTTSession(library, configuration)
      let start = clock.now
      var connected: ContinuousClock.Instant?
      let failure = session.connect(isIPv4: isIPv4)
      if let failure, isIPv4, !failure.isOfNetwork {
        // The host has no address of IPv4.
        isIPv4 = false
        continue
      }
      let reason = failure ?? converse(session, start: start, connected: &connected)
      mailbox.noteDisconnected(undelivered: session.undelivered, rejected: session.rejected)
      if mailbox.closing != nil {
        mailbox.emit(.disconnected(reason, retry: nil))
        break
      }
      if reason.isOfNetwork, !configuration.host.contains(":") { isIPv4.toggle() }
      let pause = backoff.next(connected: connected.map { clock.now - $0 }, random: random())
      mailbox.emit(.disconnected(reason, retry: pause))
      wait(pause)
    }
    let remaining = mailbox.counters.queued
    mailbox.finish(remaining == 0 ? .delivered : .undelivered(remaining: remaining))
  }

  // MARK: - One connection

  /// Uses a connection until it ends. Returns the reason.
  private func converse(
    _ session: MQTTSession, start: ContinuousClock.Instant, connected: inout ContinuousClock.Instant?
  ) -> MQTTDisconnectReason {
    var progress = start
    var bytesSent = 0
    while true {
      let closing = mailbox.closing
      if let reason = send(session) { return reason }
      let now = clock.now
      if !session.isAccepted {
        if closing != nil, mailbox.isQueueEmpty { return .closed }
        if now - start >= configuration.connectTimeout { return .connectTimedOut(configuration.connectTimeout) }
      } else if !session.isWaitingForBroker {
        progress = now
        if closing != nil, mailbox.isQueueEmpty {
          session.disconnect(deadline: min(closing ?? now, now + Self.linger))
          return .closed
        }
      } else if now - progress >= configuration.responseTimeout {
        return .noResponse
      }
      if let closing, now >= closing { return .closed }
      let limit =
        session.isAccepted
        ? (session.isWaitingForBroker ? progress + configuration.responseTimeout : nil)
        : start + configuration.connectTimeout
      // libmosquitto tests an idle connection when it is called.
      let idle = Duration.seconds(min(configuration.keepAlive, 20)) / 4
      let timeout = [limit, closing].compactMap(\.self).map { $0 - now }.reduce(idle, min)
      let isReady = session.wait(mailbox.wakeUp, timeout: timeout)
      let reason = session.step(isReady: isReady)
      let isProgress = handleNotes(session, connected: &connected) || session.bytesSent != bytesSent
      bytesSent = session.bytesSent
      if isProgress { progress = clock.now }
      if let reason { return reason }
    }
  }

  /// Sends what there is while the connection accepts it.
  private func send(_ session: MQTTSession) -> MQTTDisconnectReason? {
    guard session.isAccepted else { return nil }
    let now = clock.now
    var published = 0
    defer { if published > 0 { mailbox.notePublished(published) } }
    for _ in 0..<Self.burst {
      guard session.hasRoom else { return nil }
      let failure: MQTTDisconnectReason?
      switch mailbox.nextWork(now: now) {
      case .nothing: return nil
      case .subscribe(let filter, let qos): failure = session.subscribe(filter, qos)
      case .send(let entry): failure = session.send(entry)
      }
      published += session.takeWritten()
      if let failure { return failure }
    }
    // There may be more.
    mailbox.wakeUp.call()
    return nil
  }

  /// Handles what libmosquitto reported. Returns whether the broker did anything.
  private func handleNotes(_ session: MQTTSession, connected: inout ContinuousClock.Instant?) -> Bool {
    let (notes, published, refused) = session.takeNotes()
    if notes.accepted == 0, connected == nil {
      connected = clock.now
      mailbox.noteConnected()
    }
    if published > 0 { mailbox.notePublished(published) }
    for event in notes.received { mailbox.emit(event) }
    for _ in 0..<notes.tooLarge { mailbox.noteTooLarge() }
    for filter in refused { mailbox.emit(.subscriptionRefused(filter: filter)) }
    return notes.accepted != nil || published > 0 || !notes.received.isEmpty
  }

  // MARK: - Between connections

  /// Waits until `sleep` returns or the client closes.
  private func wait(_ pause: Duration) {
    let (mailbox, sleep) = (mailbox, sleep)
    let sleeper = Task {
      await sleep(pause)
      if !Task.isCancelled { mailbox.retry() }
    }
    while !mailbox.isPauseOver {
      var descriptor = pollfd(fd: mailbox.wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
      guard Glibc.poll(&descriptor, 1, -1) > 0 else { continue }
      mailbox.wakeUp.clear()
    }
    sleeper.cancel()
  }
}
