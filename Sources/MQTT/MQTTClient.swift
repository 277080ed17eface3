/// A client of an MQTT 3.1.1 broker, by the system's libmosquitto, which is loaded with the first client. It connects at once and
/// again after each failure, and keeps what cannot be sent yet in a bounded queue. Nothing here waits for the broker, except
/// `close`.
package final class MQTTClient: Sendable {
  /// Connections, failures and received messages, for one reader. Up to 1 MiB of them wait for it; then the oldest received messages
  /// are dropped.
  package var events: AsyncStream<MQTTEvent> { mailbox.events.stream }

  /// How much longer than its time `close` may take.
  package static let closeMargin = Duration.milliseconds(250)

  private let mailbox: MQTTMailbox

  /// Starts the thread of the client, which begins to connect. `sleep` waits between attempts; `random` returns numbers from 0
  /// to 1 for the length of the pauses. Throws if the configuration is invalid or libmosquitto is not installed.
  package convenience init(
    _ configuration: MQTTConfiguration,
    sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) },
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
  ) throws(MQTTError) {
    try self.init(configuration, library: MosquittoLibrary.name, sleep: sleep, random: random)
  }

  init(
    _ configuration: MQTTConfiguration, library: String, sleep: @escaping @Sendable (Duration) async -> Void,
    random: @escaping @Sendable () -> Double,
  ) throws(MQTTError) {
    try configuration.validate()
    let functions = try MosquittoLibrary.functions(of: library)
    mailbox = try MQTTMailbox(limits: configuration.queue)
    try MQTTThread.start(
      MQTTLoop(
        library: functions, configuration: configuration, mailbox: mailbox, sleep: sleep, random: random))
  }

  deinit {
    let now = ContinuousClock.now
    mailbox.close(publishing: [], now: now, deadline: now)
  }

  /// What the client has done so far.
  package var counters: MQTTCounters { mailbox.counters }

  /// Appends a message to the queue.
  @discardableResult
  package func publish(_ message: MQTTMessage) -> MQTTPublishResult {
    mailbox.publish(message, now: .now)
  }

  /// Subscribes to the topics of `filter`, now and on each later connection. Throws if the filter is invalid or there are already
  /// 64 subscriptions.
  package func subscribe(_ filter: String, qos: MQTTQoS = .atMostOnce) throws(MQTTError) {
    try mailbox.subscribe(filter, qos)
  }

  /// Publishes what is in the queue and then `last`, disconnects and ends the client. Returns at the latest
  /// `closeMargin` after `time`. If messages remain, the connection is cut, so that the broker publishes the will.
  @discardableResult
  package func close(publishing last: [MQTTMessage] = [], within time: Duration = .seconds(5)) async -> MQTTCloseResult
  {
    let now = ContinuousClock.now
    mailbox.close(publishing: last, now: now, deadline: now + time)
    let mailbox = mailbox
    var limit: Task<Void, Never>?
    let result = await mailbox.waitForEnd { waiter in
      limit = Task {
        try? await Task.sleep(for: time + Self.closeMargin)
        mailbox.abandon(waiter)
      }
    }
    limit?.cancel()
    return result
  }
}
