import MQTT

/// The connection of the MQTT outlet: what arrives from both sides, one after the other.
actor MQTTOutletSession {
  private let client: MQTTClient
  private var publisher: MQTTPublisher
  private let expected: @Sendable () async -> [String]?
  /// Waits as long as the broker may take to send what it keeps.
  private let waitLimit: @Sendable () async -> Void
  private let report: @Sendable (OutletReport) -> Void
  /// What is published when the broker has sent what it keeps of an earlier run; `nil` when it has.
  private var held: [MQTTMessage]?
  /// Whether Home Assistant has started meanwhile.
  private var isBirthHeld = false
  /// The addresses of the straps that are expected, as they were read after the connection; `nil` if they are not known.
  private var expectedNow: [String]?
  private var waiting: Task<Void, Never>?

  init(
    _ client: MQTTClient, _ publisher: MQTTPublisher, expected: @escaping @Sendable () async -> [String]?,
    waitLimit: @escaping @Sendable () async -> Void, report: @escaping @Sendable (OutletReport) -> Void,
  ) {
    (self.client, self.publisher, self.expected) = (client, publisher, expected)
    (self.waitLimit, self.report) = (waitLimit, report)
  }

  func handle(_ delivery: OutletDelivery) {
    let messages = publisher.handle(delivery, at: .now)
    if held == nil { publish(messages) } else { held?.append(contentsOf: messages) }
  }

  func handle(_ event: MQTTEvent) async {
    switch event {
    case .connected:
      report(.working)
      await begin()
    case .disconnected(let reason, let retry):
      release()
      // Without a next attempt it is the client that closes.
      guard retry != nil else { break }
      report(.failing("\(reason)"))
      // It replaces an `online` that this connection has not delivered: the next begins with it.
      client.publish(publisher.beginning)
    case .subscriptionRefused(let filter): report(.failing("the broker refuses to send \(filter)"))
    case .received(let topic, let payload, let isRetained):
      if publisher.isBeginning(topic: topic, payload: payload, isRetained: isRetained) { settle() }
      if publisher.isBirth(topic: topic, payload: payload) { handleBirth() }
      if let command = publisher.command(topic: topic, payload: payload, isRetained: isRetained) {
        report(.recording(strap: command.strap, isWanted: command.isWanted))
      }
      if let leftover = publisher.leftover(topic: topic, payload: payload, isRetained: isRetained) {
        publish(publisher.correction(of: leftover, expected: expectedNow))
      }
      // The broker is still sending.
      if held != nil { limit() }
    }
  }

  private func handleBirth() {
    if held == nil { publish(publisher.everythingAfterBirth(at: .now)) } else { isBirthHeld = true }
  }

  // MARK: - What the broker keeps

  /// Asks the broker for what it keeps. An event is handled after the one before, so that all of it is corrected when the first
  /// message comes back.
  private func begin() async {
    release()
    held = []
    client.publish(publisher.beginning)
    expectedNow = await expected()
    limit()
  }

  private func limit() {
    waiting?.cancel()
    waiting = Task { [weak self, waitLimit] in
      await waitLimit()
      if !Task.isCancelled { await self?.endWait() }
    }
  }

  private func endWait() {
    guard held != nil else { return }
    report(
      .restricted(
        """
        the broker does not send the station its own messages: it may not let the station write \(publisher.beginning.topic), so that \
        no value arrives, or not let it read \(publisher.filters.joined(separator: ", ")), so that values of a run that was killed \
        may be shown for a moment
        """))
    settle()
  }

  /// Publishes everything, now that no value of an earlier run is shown any more.
  private func settle() {
    guard held != nil else { return }
    release()
    publish(isBirthHeld ? publisher.everythingAfterBirth(at: .now) : publisher.everything(at: .now))
    isBirthHeld = false
  }

  private func release() {
    waiting?.cancel()
    waiting = nil
    let messages = held ?? []
    held = nil
    publish(messages)
  }

  func ending() -> [MQTTMessage] {
    release()
    return publisher.ending()
  }

  private func publish(_ messages: [MQTTMessage]) {
    for message in messages { client.publish(message) }
  }
}
