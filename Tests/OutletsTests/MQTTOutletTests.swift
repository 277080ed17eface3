import Foundation
import MQTT
import MosquittoTestKit
import Outlets
import TachogramContracts
import Testing

/// The MQTT outlet with a real broker.
@Suite("MQTT outlet", .timeLimit(.minutes(15)))
struct MQTTOutletTests {
  /// The broker must answer: nothing else ends the wait.
  @Sendable private static func never() async { for await _ in AsyncStream<Never>.makeStream().stream {} }

  @Test func testContract() async throws {
    try await OutletContract(await MQTTOutletSubject()).check()
  }

  /// A client that is independent of this package sees what Home Assistant sees, also after the station has ended.
  @Test func testRetainedMessages_TellTheState() async throws {
    let broker = try await MosquittoBroker.start()
    // Before the outlet, since its state is not retained.
    let live = try await MosquittoSubscriber(broker, topic: "#")
    let run = OutletRun(MQTTOutlet(try MQTTOutletSubject.options(port: broker.port), waitLimit: Self.never))
    run.mailbox.put(OutletContract.reading(heartRate: 61))
    var topics: [String: String] = [:]
    while topics["tachogram/bedroom/status"] != "online" || topics.count < 4, let message = await live.next() {
      topics[message.topic] = message.text
    }
    #expect(topics["tachogram/bedroom/status"] == "online")
    #expect(topics.values.contains { $0.contains("\"unique_id\"") })
    await run.end()
    let later = try await MosquittoSubscriber(broker, topic: "tachogram/#")
    var retained: [String] = []
    while retained.count < 2, let message = await later.next() {
      #expect(message.isRetained)
      retained.append(message.text)
    }
    #expect(retained == ["offline", "offline"])
  }

  /// A station that disappears is offline by its last will.
  @Test func testPausedStation_IsOffline_ByItsWill() async throws {
    let broker = try await MosquittoBroker.start()
    let subscriber = try await MosquittoSubscriber(broker, topic: "tachogram/bedroom/status")
    var options = try MQTTOutletSubject.options(port: broker.port)
    options.broker.keepAlive = 5
    let first = OutletRun(MQTTOutlet(options, waitLimit: Self.never))
    while let message = await subscriber.next(), message.text != "online" { #expect(message.text == "offline") }
    // Another client with the same identifier has the broker end the first one without a farewell.
    let other = try MQTTClient(options.broker)
    #expect(await subscriber.next()?.text == "offline")
    await other.close(within: .seconds(1))
    await first.end()
  }

  /// What a run that was killed left at the broker: a strap that is not received is offline, one that was forgotten is gone.
  @Test func testLeftoversOfAnEarlierRun_AreCorrected() async throws {
    let broker = try await MosquittoBroker.start()
    var options = try MQTTOutletSubject.options(port: broker.port)
    let (paired, forgotten) = ("C8:DE:AD:BE:EF:71", "C8:DE:AD:BE:EF:72")
    let topics = [paired, forgotten].map { "tachogram/bedroom/\(options.key.identifier(of: $0))/status" }
    let device = "homeassistant/device/tachogram_bedroom_\(options.key.identifier(of: forgotten))/config"
    let subscriber = try await MosquittoSubscriber(broker, topic: "#")
    let earlier = try MQTTClient(MQTTConfiguration(host: "127.0.0.1", port: broker.port, clientID: "earlier"))
    for topic in topics + [device] {
      earlier.publish(MQTTMessage(topic: topic, text: "online", qos: .atLeastOnce, isRetained: true))
    }
    var left: [String: String] = [:]
    // The topics of what is sent afterwards.
    var order: [String] = []
    while left.count < 3, let message = await subscriber.next() { left[message.topic] = message.text }
    await earlier.close(within: .seconds(1))
    options.expected = { [paired] }
    let run = OutletRun(MQTTOutlet(options, waitLimit: Self.never))
    while left["tachogram/bedroom/status"] != "online", let message = await subscriber.next() {
      left[message.topic] = message.text
      order.append(message.topic)
    }
    // The station is online when nothing of the earlier run is left.
    #expect(left == ["tachogram/bedroom/status": "online", topics[0]: "offline", topics[1]: "", device: ""])
    #expect(order.first == "tachogram/bedroom/status" && order.last == order.first && order.count >= 5, "\(order)")
    await run.end()
  }

  /// A broker that lets the station write only. Values are sent nevertheless, and what does not work is said.
  @Test func testStationThatMayOnlyWrite_IsOnline_AndSaysWhatItMisses() async throws {
    var rights = MosquittoOptions()
    rights.users = ["station": "secret", "reader": "secret"]
    rights.rights = "user station\ntopic write tachogram/#\ntopic write homeassistant/#\nuser reader\ntopic read #\n"
    let broker = try await MosquittoBroker.start(rights)
    var options = try MQTTOutletSubject.options(port: broker.port)
    var reading = MQTTConfiguration(host: "127.0.0.1", port: broker.port, clientID: "reader")
    (reading.user, reading.password) = ("reader", "secret")
    let reader = try MQTTClient(reading)
    try reader.subscribe("tachogram/bedroom/status")
    (options.broker.user, options.broker.password) = ("station", "secret")
    // The station waits until the broker has had its first message for long enough to send another one on.
    let (limits, limit) = AsyncStream.makeStream(of: Void.self)
    let run = OutletRun(MQTTOutlet(options, waitLimit: { for await _ in limits { return } }))
    var statuses: [String] = []
    for await event in reader.events {
      guard case .received(_, let payload, _) = event else { continue }
      statuses.append(String(decoding: payload, as: UTF8.self))
      if statuses.last == "online" { break }
      limit.yield()
    }
    #expect(statuses.last == "online" && statuses.dropLast().allSatisfy { $0 == "offline" } && statuses.count > 1)
    let restrictions = run.reports.compactMap { report in
      if case .restricted(let text) = report { text } else { nil }
    }
    #expect(restrictions.count == 1 && restrictions.first?.contains("tachogram/bedroom/+/status") == true)
    await reader.close(within: .seconds(1))
    await run.end()
  }

  /// Four straps for a day, every ten seconds, with no broker: nothing grows above the limits, and the sender does not wait.
  @Test func testDayWithoutBroker_IsBounded() async throws {
    let client = try MQTTClient(
      MQTTConfiguration(host: "127.0.0.1", port: try FreePort.find(), clientID: "day"), sleep: OutletRun.yield)
    let key = try #require(OutletKey(bytes: Array(repeating: 7, count: 32)))
    var publisher = MQTTPublisherDay(key: key)
    for second in stride(from: 0, to: 86_400, by: 10) {
      for message in publisher.messages(second: second) { client.publish(message) }
    }
    let counters = client.counters
    #expect(counters.queued <= 4096 && counters.queuedBytes <= 4 << 20, "\(counters)")
    #expect(publisher.count > 34_000 && counters.dropped + counters.expired > 0)
    await client.close(within: .milliseconds(10))
  }
}
