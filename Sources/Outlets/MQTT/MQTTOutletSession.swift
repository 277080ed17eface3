import MQTT

/// The connection of the MQTT outlet: what arrives from both sides, one after the other.
actor MQTTOutletSession {
  private let client: MQTTClient
  private var publisher: MQTTPublisher
  private let expected: @Sendable () async -> [String]?
  private let report: @Sendable (OutletReport) -> Void

  init(
    _ client: MQTTClient, _ publisher: MQTTPublisher, expected: @escaping @Sendable () async -> [String]?,
    report: @escaping @Sendable (OutletReport) -> Void,
  ) {
    (self.client, self.publisher, self.expected, self.report) = (client, publisher, expected, report)
  }

  func handle(_ delivery: OutletDelivery) {
    publish(publisher.handle(delivery, at: .now))
  }

  func handle(_ event: MQTTEvent) async {
    switch event {
    case .connected:
      report(.working)
      publish(publisher.everything(at: .now))
    // Without a next attempt it is the client that closes.
    case .disconnected(_, retry: nil): break
    case .disconnected(let reason, _): report(.failing("\(reason)"))
    case .subscriptionRefused(let filter): report(.failing("the broker refuses to send \(filter)"))
    case .received(let topic, let payload, let isRetained):
      if publisher.isBirth(topic: topic, payload: payload) { publish(publisher.everything(at: .now)) }
      if let command = publisher.command(topic: topic, payload: payload, isRetained: isRetained) {
        report(.recording(strap: command.strap, isWanted: command.isWanted))
      }
      await correct(topic: topic, payload: payload, isRetained: isRetained)
    }
  }

  private func correct(topic: String, payload: [UInt8], isRetained: Bool) async {
    guard publisher.leftover(topic: topic, payload: payload, isRetained: isRetained) != nil else { return }
    let expected = await expected()
    // The strap may have been heard meanwhile.
    guard let leftover = publisher.leftover(topic: topic, payload: payload, isRetained: isRetained) else { return }
    publish(publisher.correction(of: leftover, expected: expected))
  }

  func ending() -> [MQTTMessage] { publisher.ending() }

  private func publish(_ messages: [MQTTMessage]) {
    for message in messages { client.publish(message) }
  }
}
