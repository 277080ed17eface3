import MQTT
import MosquittoTestKit
import Testing

/// The client with a real broker.
@Suite(.timeLimit(.minutes(15)))
struct MQTTClientTests {
  @Test func testPublishedMessages_AreReadByAnotherClient() async throws {
    let broker = try await MosquittoBroker.start()
    let subscriber = try await MosquittoSubscriber(broker, topic: "tachogram/#")
    let client = try MQTTClient(.testing(broker))

    #expect(client.publish(MQTTMessage(topic: "tachogram/a/state", text: "{\"heart_rate\":61}")) == .queued(dropped: 0))
    client.publish(
      MQTTMessage(topic: "tachogram/a/status", text: "online", qos: .atLeastOnce, isRetained: true))
    client.publish(MQTTMessage(topic: "tachogram/ä/bytes", payload: [0, 255, 10]))

    var messages: [MosquittoSubscriber.Message] = []
    for _ in 0..<3 { messages.append(try #require(await subscriber.next())) }
    #expect(messages.map(\.topic) == ["tachogram/a/state", "tachogram/a/status", "tachogram/ä/bytes"])
    #expect(messages[0].text == "{\"heart_rate\":61}")
    #expect(messages[1].text == "online")
    #expect(messages[1].qos == 1)
    #expect(messages[2].payload == [0, 255, 10])
    #expect(await client.close() == .delivered)
    let counters = client.counters
    #expect(counters.published == 3)
    #expect(counters.dropped == 0)
    #expect(counters.queuedBytes == 0)
    #expect(!counters.isConnected)
  }

  @Test func testRetainedMessage_IsKeptByTheBrokerAndDeletedByAnEmptyOne() async throws {
    let broker = try await MosquittoBroker.start()
    let client = try MQTTClient(.testing(broker))
    client.publish(MQTTMessage(topic: "t/config", text: "{}", qos: .atLeastOnce, isRetained: true))
    #expect(await Eventually.holds { client.counters.published == 1 })

    let subscriber = try await MosquittoSubscriber(broker, topic: "t/#")
    let kept = try #require(await subscriber.next())
    #expect(kept.isRetained)
    #expect(kept.text == "{}")

    client.publish(MQTTMessage(topic: "t/config", payload: [], qos: .atLeastOnce, isRetained: true))
    #expect(await subscriber.next()?.payload == [])
    client.publish(MQTTMessage(topic: "t/end", text: "end"))
    #expect(await subscriber.next()?.text == "end")
    let later = try await MosquittoSubscriber(broker, topic: "t/#")
    client.publish(MQTTMessage(topic: "t/end", text: "later"))
    #expect(await later.next()?.text == "later")
    await client.close()
  }

  @Test func testSubscribedTopic_IsReceivedNowAndAfterAReconnection() async throws {
    let broker = try await MosquittoBroker.start()
    let listening = try MQTTClient(.testing(broker), sleep: ManualSleep().wait)
    let sending = try MQTTClient(.testing(broker), sleep: ManualSleep().wait)
    try listening.subscribe("homeassistant/status")
    try listening.subscribe("tachogram/+/command", qos: .atLeastOnce)
    var events = EventReader(listening)
    #expect(await events.isConnected())

    // The subscription takes effect at an unknown time: the message is repeated until it arrives.
    func receive(_ text: String, on topic: String) async -> Bool {
      await Eventually.holds {
        sending.publish(MQTTMessage(topic: topic, text: text))
        return listening.counters.received > 0
      }
    }
    #expect(await receive("online", on: "homeassistant/status"))
    #expect(await events.nextMessage() == "online")

    try await broker.stop()
    #expect(await events.nextReason() == .closedByBroker)
    try await broker.start()
    #expect(await events.isConnected())
    let before = listening.counters.received
    #expect(
      await Eventually.holds {
        sending.publish(MQTTMessage(topic: "tachogram/s/command", text: "start"))
        return listening.counters.received > before
      })
    #expect(
      await events.next {
        $0 == .received(topic: "tachogram/s/command", payload: Array("start".utf8), isRetained: false)
      } != nil)
    #expect(listening.counters.reconnects >= 1)
    await listening.close()
    await sending.close()
  }

  @Test func testBrokerThatRestarts_IsUsedAgainAndReceivesWhatWasPublishedMeanwhile() async throws {
    let broker = try await MosquittoBroker.start()
    let sleep = ManualSleep(permits: 0)
    let client = try MQTTClient(.testing(broker), sleep: sleep.wait)
    var events = EventReader(client)
    #expect(await events.isConnected())

    try await broker.crash()
    #expect(await events.nextReason() == .closedByBroker)
    client.publish(MQTTMessage(topic: "t/status", text: "old", qos: .atLeastOnce, isRetained: true))
    client.publish(MQTTMessage(topic: "t/state", text: "1"))
    client.publish(MQTTMessage(topic: "t/status", text: "new", qos: .atLeastOnce, isRetained: true))
    client.publish(MQTTMessage(topic: "t/state", text: "2"))
    try await broker.start()
    let subscriber = try await MosquittoSubscriber(broker, topic: "t/#")
    sleep.release()

    #expect(await events.isConnected())
    var texts: [String] = []
    for _ in 0..<3 { texts.append(try #require(await subscriber.next()).text) }
    #expect(texts == ["1", "new", "2"])
    #expect(client.counters.replaced == 1)
    #expect(client.counters.reconnects == 1)
    #expect(await client.close() == .delivered)
  }

  @Test func testUnacknowledgedMessages_AreSentAgain() async throws {
    let broker = try await MosquittoBroker.start()
    var configuration = MQTTConfiguration.testing(broker)
    configuration.responseTimeout = .seconds(60)
    let client = try MQTTClient(configuration, sleep: ManualSleep().wait)
    var events = EventReader(client)
    #expect(await events.isConnected())

    try await broker.pause()
    for number in 0..<40 {
      client.publish(MQTTMessage(topic: "t/\(number)", text: "\(number)", qos: .atLeastOnce))
    }
    // Sixteen are on the way, the others wait.
    #expect(await Eventually.holds { client.counters.queued == 24 })
    try await broker.crash()
    try await broker.start()
    #expect(await Eventually.holds { client.counters.published == 40 })
    #expect(client.counters.dropped == 0)
    #expect(await client.close() == .delivered)
  }

  @Test func testManyMessages_ArriveInTheirOrder() async throws {
    let broker = try await MosquittoBroker.start()
    let subscriber = try await MosquittoSubscriber(broker, topic: "t")
    var configuration = MQTTConfiguration.testing(broker)
    (configuration.queue.count, configuration.queue.lifetime) = (10_000, nil)
    let client = try MQTTClient(configuration)
    for number in 0..<1000 {
      client.publish(MQTTMessage(topic: "t", text: "\(number)", qos: number % 10 == 0 ? .atLeastOnce : .atMostOnce))
    }
    // A broker keeps the order within each quality of service.
    var numbers: [[Int]] = [[], []]
    for _ in 0..<1000 {
      let message = try #require(await subscriber.next())
      numbers[message.qos].append(Int(message.text) ?? -1)
    }
    let isInOrder = numbers[0] == (0..<1000).filter { $0 % 10 != 0 } && numbers[1] == (0..<100).map { $0 * 10 }
    #expect(isInOrder)
    #expect(await client.close() == .delivered)
    #expect(client.counters.published == 1000)
  }

  @Test func testLargeMessage_IsSentInPieces() async throws {
    let broker = try await MosquittoBroker.start()
    let receiving = try MQTTClient(.testing(broker))
    try receiving.subscribe("#")
    var events = EventReader(receiving)
    #expect(await events.isConnected())
    let client = try MQTTClient(.testing(broker))
    #expect(
      client.publish(MQTTMessage(topic: "t", payload: Array(repeating: 7, count: 3 << 20))) == .queued(dropped: 0))
    #expect(await Eventually.holds { client.counters.published == 1 })
    #expect(client.publish(MQTTMessage(topic: "t", payload: Array(repeating: 7, count: 5 << 20))) == .invalid)
    #expect(client.publish(MQTTMessage(topic: "t/+", text: "x")) == .invalid)
    await client.close()
    await receiving.close()
  }

  @Test func testTwoClientsWithTheSameID_DisconnectEachOther() async throws {
    let broker = try await MosquittoBroker.start()
    var configuration = MQTTConfiguration.testing(broker)
    configuration.clientID = "same"
    let first = try MQTTClient(configuration, sleep: ManualSleep(permits: 0).wait)
    var events = EventReader(first)
    #expect(await events.isConnected())
    let second = try MQTTClient(configuration)
    #expect(await events.nextReason() == .closedByBroker)
    await first.close()
    await second.close()
  }
}
