import MQTT
import MosquittoTestKit
import Testing

/// The end of a client, and the will.
@Suite(.timeLimit(.minutes(15)))
struct MQTTCloseTests {
  private static let offline = MQTTMessage(topic: "s/status", text: "offline", qos: .atLeastOnce, isRetained: true)

  private static func configuration(_ broker: MosquittoBroker) -> MQTTConfiguration {
    var configuration = MQTTConfiguration.testing(broker)
    configuration.will = MQTTMessage(topic: "s/status", text: "lost", qos: .atLeastOnce, isRetained: true)
    return configuration
  }

  @Test func testClosing_PublishesLastMessagesAndNoWill() async throws {
    let broker = try await MosquittoBroker.start()
    let subscriber = try await MosquittoSubscriber(broker, topic: "s/#")
    let client = try MQTTClient(Self.configuration(broker))
    var events = EventReader(client)
    #expect(await events.isConnected())
    client.publish(MQTTMessage(topic: "s/state", text: "1"))

    #expect(await client.close(publishing: [Self.offline]) == .delivered)
    #expect(await subscriber.next()?.text == "1")
    #expect(await subscriber.next()?.text == "offline")
    #expect(await events.nextReason() == .closed)
    #expect(await events.next() == nil)
    #expect(client.publish(Self.offline) == .closed)
    #expect(await client.close() == .delivered)
    // The will would be here.
    let other = try MQTTClient(.testing(broker))
    other.publish(MQTTMessage(topic: "s/end", text: "end"))
    #expect(await subscriber.next()?.text == "end")
    await other.close()
  }

  @Test func testReleasedClient_LetsTheBrokerKnow() async throws {
    let broker = try await MosquittoBroker.start()
    let subscriber = try await MosquittoSubscriber(broker, topic: "s/#")
    func use() async throws {
      let client = try MQTTClient(Self.configuration(broker))
      var events = EventReader(client)
      #expect(await events.isConnected())
    }
    try await use()
    let other = try MQTTClient(.testing(broker))
    #expect(await Eventually.holds { broker.log.contains("disconnected") })
    other.publish(MQTTMessage(topic: "s/end", text: "end"))
    #expect(await subscriber.next()?.text == "end")
    await other.close()
  }

  @Test func testBrokerThatHangs_DoesNotDelayClosingBeyondItsLimit() async throws {
    let broker = try await MosquittoBroker.start()
    let client = try MQTTClient(Self.configuration(broker))
    var events = EventReader(client)
    #expect(await events.isConnected())
    try await broker.pause()

    let start = ContinuousClock.now
    let result = await client.close(publishing: [Self.offline], within: .milliseconds(300))
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(result == .undelivered(remaining: 1))
    // The connection was cut, so the broker publishes what was sent, and then the will.
    try await broker.resume()
    #expect(await Eventually.holds { broker.log.contains("closed its connection") || broker.log.contains("Broken") })
    let subscriber = try await MosquittoSubscriber(broker, topic: "s/#")
    #expect(await subscriber.next()?.text == "lost")
  }

  @Test func testStalledPeer_DoesNotDelayClosingBeyondItsLimit() async throws {
    let peer = try ScriptedPeer(.silent)
    let client = try MQTTClient(.testing(port: peer.port))
    let start = ContinuousClock.now
    #expect(await client.close(publishing: [Self.offline], within: .milliseconds(200)) == .undelivered(remaining: 1))
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test func testClosingDuringAPause_EndsAtOnce() async throws {
    let client = try MQTTClient(.testing(port: try FreePort.find()), sleep: ManualSleep(permits: 0).wait)
    var events = EventReader(client)
    #expect(await events.nextReason() == .connectionRefused)
    let start = ContinuousClock.now
    #expect(await client.close(publishing: [Self.offline], within: .seconds(60)) == .undelivered(remaining: 1))
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func testSeveralCallersOfClose_AllReturn() async throws {
    let broker = try await MosquittoBroker.start()
    let client = try MQTTClient(.testing(broker))
    client.publish(Self.offline)
    await withTaskGroup(of: MQTTCloseResult.self) { group in
      for _ in 0..<8 { group.addTask { await client.close() } }
      for await result in group { #expect(result == .delivered) }
    }
    #expect(client.counters.published == 1)
  }
}
