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
      begin()
    case .disconnected(let reason, let retry):
      release()
      // Without a next attempt it is the client that closes.
      if retry != nil { report(.failing("\(reason)")) }
    case .subscriptionRefused(let filter): report(.failing("the broker refuses to send \(filter)"))
    case .received(let topic, let payload, let isRetained):
      if publisher.isBeginning(topic: topic, payload: payload, isRetained: isRetained) { settle() }
      if held == nil, publisher.isBirth(topic: topic, payload: payload) {
        publish(publisher.everythingAfterBirth(at: .now))
      }
      if let command = publisher.command(topic: topic, payload: payload, isRetained: isRetained) {
        report(.recording(strap: command.strap, isWanted: command.isWanted))
      }
      await correct(topic: topic, payload: payload, isRetained: isRetained)
    }
  }

  // MARK: - What the broker keeps

  /// Asks the broker for what it keeps. An event is handled after the one before, so that all of it is corrected when the first
  /// message comes back.
  private func begin() {
    release()
    held = []
    client.publish(publisher.beginning)
    waiting = Task { [weak self, waitLimit] in
      await waitLimit()
      if !Task.isCancelled { await self?.endWait() }
    }
  }

  private func endWait() {
    guard held != nil else { return }
    report(
      .restricted(
        "the broker does not send the station its own messages, so that values of a run that was killed may be shown for a moment; "
          + "let the station read \(publisher.filters.joined(separator: ", "))"))
    settle()
  }

  /// Publishes everything, now that no value of an earlier run is shown any more.
  private func settle() {
    guard held != nil else { return }
    release()
    publish(publisher.everything(at: .now))
  }

  private func release() {
    waiting?.cancel()
    waiting = nil
    let messages = held ?? []
    held = nil
    publish(messages)
  }

  private func correct(topic: String, payload: [UInt8], isRetained: Bool) async {
    guard publisher.leftover(topic: topic, payload: payload, isRetained: isRetained) != nil else { return }
    let expected = await expected()
    // The strap may have been heard meanwhile.
    guard let leftover = publisher.leftover(topic: topic, payload: payload, isRetained: isRetained) else { return }
    publish(publisher.correction(of: leftover, expected: expected))
  }

  func ending() -> [MQTTMessage] {
    release()
    return publisher.ending()
  }

  private func publish(_ messages: [MQTTMessage]) {
    for message in messages { client.publish(message) }
  }
}
