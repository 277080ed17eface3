import MQTT

/// Sends the values of straps to an MQTT broker, with the announcements that Home Assistant reads.
package struct MQTTOutlet: OutletProtocol {
  private let options: MQTTOutletOptions
  private let sleep: @Sendable (Duration) async -> Void
  private let waitLimit: @Sendable () async -> Void

  package var name: String { "mqtt" }
  package var wantsBeats: Bool { options.sendsBeats }

  /// Creates an outlet. `sleep` waits between attempts to connect, and `waitLimit` as long as a broker may take to send what it keeps.
  package init(
    _ options: MQTTOutletOptions,
    sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) },
    waitLimit: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(3)) },
  ) {
    (self.options, self.sleep, self.waitLimit) = (options, sleep, waitLimit)
  }

  package func run(_ mailbox: OutletMailbox, report: @escaping @Sendable (OutletReport) -> Void) async {
    let publisher = MQTTPublisher(options)
    var broker = options.broker
    broker.will = publisher.will
    let client: MQTTClient
    do throws(MQTTError) {
      client = try MQTTClient(broker, sleep: sleep)
      client.publish(publisher.beginning)
      for filter in publisher.filters { try client.subscribe(filter) }
    } catch {
      return report(.ended(error.description))
    }
    let session = MQTTOutletSession(client, publisher, expected: options.expected, waitLimit: waitLimit, report: report)
    let listening = Task { for await event in client.events { await session.handle(event) } }
    while let delivery = await mailbox.next() { await session.handle(delivery) }
    await client.close(publishing: session.ending(), within: OutletLimits.ending - MQTTClient.closeMargin)
    listening.cancel()
  }
}
