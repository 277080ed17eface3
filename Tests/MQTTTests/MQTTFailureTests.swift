import MQTT
import MosquittoTestKit
import Testing

/// Brokers and peers that fail: each has its own error and costs bounded time and memory.
@Suite(.timeLimit(.minutes(15)))
struct MQTTFailureTests {
  @Test func testNothingThatListens_IsReportedAndTriedAgainWithGrowingPauses() async throws {
    let sleep = ManualSleep(permits: 8)
    let client = try MQTTClient(.testing(port: try FreePort.find()), sleep: sleep.wait, random: { 0.5 })
    var events = EventReader(client)
    #expect(await events.next() == .disconnected(.connectionRefused, retry: .seconds(1)))
    #expect(await Eventually.holds { sleep.durations.count == 9 })
    #expect(sleep.durations == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
    #expect(client.counters.attempts == 9)
    #expect(client.counters.connections == 0)
    await client.close(within: .zero)
  }

  @Test func testUnknownHost_IsReported() async throws {
    var configuration = MQTTConfiguration.testing(port: 1883)
    configuration.host = "no-such-host.invalid"
    let client = try MQTTClient(configuration, sleep: ManualSleep(permits: 0).wait)
    var events = EventReader(client)
    #expect(await events.nextReason() == .hostNotFound)
    await client.close(within: .zero)
  }

  @Test func testHostWithoutIPv4_KeepsItsReason() async throws {
    var configuration = MQTTConfiguration.testing(port: try FreePort.find())
    configuration.host = "ip6-localhost"
    let client = try MQTTClient(configuration, sleep: ManualSleep(permits: 4).wait)
    var events = EventReader(client)
    var reasons: Set<MQTTDisconnectReason> = []
    for _ in 0..<5 { reasons.insert(try #require(await events.nextReason())) }
    // Which it is depends on the machine.
    #expect(reasons.count == 1 && !reasons.contains(.closedBeforeAccepted), "\(reasons)")
    await client.close(within: .zero)
  }

  @Test func testStalledPeer_IsReportedAfterTheConnectTimeout() async throws {
    let peer = try ScriptedPeer(.silent)
    var configuration = MQTTConfiguration.testing(port: peer.port)
    configuration.connectTimeout = .milliseconds(300)
    let client = try MQTTClient(configuration, sleep: ManualSleep(permits: 0).wait)
    var events = EventReader(client)
    let reason = await events.nextReason()
    #expect(reason == .connectTimedOut(.milliseconds(300)))
    #expect(reason?.description == "the broker did not answer within 0.3 s")
    await client.close(within: .zero)
  }

  @Test func testStoppedBroker_IsReportedWhenItNoLongerAcknowledges() async throws {
    let broker = try await MosquittoBroker.start()
    var configuration = MQTTConfiguration.testing(broker)
    configuration.responseTimeout = .milliseconds(300)
    let client = try MQTTClient(configuration, sleep: ManualSleep(permits: 0).wait)
    var events = EventReader(client)
    #expect(await events.isConnected())
    try await broker.pause()
    client.publish(MQTTMessage(topic: "t", text: "x", qos: .atLeastOnce))
    #expect(await events.nextReason() == .noResponse)
    #expect(client.counters.queued == 1)
    try await broker.resume()
    await client.close(within: .zero)
  }

  @Test func testStoppedBroker_CostsNoMoreThanTheQueue() async throws {
    let broker = try await MosquittoBroker.start()
    var configuration = MQTTConfiguration.testing(broker)
    configuration.responseTimeout = .milliseconds(500)
    configuration.queue.bytes = 1 << 20
    let client = try MQTTClient(configuration, sleep: ManualSleep(permits: 0).wait)
    var events = EventReader(client)
    #expect(await events.isConnected())
    try await broker.pause()
    // More than the kernel's buffers hold.
    let payload = [UInt8](repeating: 1, count: 10_000)
    for _ in 0..<3000 { client.publish(MQTTMessage(topic: "t", payload: payload)) }
    #expect(client.counters.queuedBytes <= 1 << 20)
    #expect(client.counters.dropped > 0)
    #expect(await events.nextReason() == .noResponse)
    let counters = client.counters
    #expect(counters.published + counters.dropped + counters.queued == 3000)
    try await broker.resume()
    await client.close(within: .zero)
  }

  @Test func testIdleConnection_IsKeptAlive() async throws {
    let broker = try await MosquittoBroker.start()
    var configuration = MQTTConfiguration.testing(broker)
    configuration.keepAlive = 5
    let client = try MQTTClient(configuration)
    #expect(await Eventually.holds { broker.log.contains("Sending PINGRESP") })
    #expect(client.counters.connections == 1)
    #expect(await client.close() == .delivered)
  }

  @Test func testBrokerThatStopsWhileIdle_IsReported() async throws {
    let broker = try await MosquittoBroker.start()
    var configuration = MQTTConfiguration.testing(broker)
    configuration.keepAlive = 5
    let client = try MQTTClient(configuration, sleep: ManualSleep(permits: 0).wait)
    var events = EventReader(client)
    #expect(await events.isConnected())
    try await broker.pause()
    // The shortest keep-alive time, twice.
    #expect(await events.nextReason() == .noResponse)
    try await broker.resume()
    await client.close(within: .zero)
  }

  @Test func testBrokerThatClosesAtOnce_IsReportedAndNotHammered() async throws {
    let peer = try ScriptedPeer(.closing)
    let sleep = ManualSleep(permits: 3)
    let client = try MQTTClient(.testing(port: peer.port), sleep: sleep.wait, random: { 0.5 })
    var events = EventReader(client)
    #expect(await events.nextReason() == .closedBeforeAccepted)
    #expect(await Eventually.holds { sleep.durations.count == 4 })
    #expect(sleep.durations == [1, 2, 4, 8].map { .seconds($0) })
    #expect(peer.connections == 4)
    await client.close(within: .zero)
  }

  @Test func testBrokerThatAcceptsAndCloses_IsNotHammered() async throws {
    // CONNACK, then a packet that ends the connection.
    let peer = try ScriptedPeer(.sending(bytes: [0x20, 2, 0, 0, 0xF0, 0]))
    let sleep = ManualSleep(permits: 3)
    let client = try MQTTClient(.testing(port: peer.port), sleep: sleep.wait, random: { 0.5 })
    #expect(await Eventually.holds { sleep.durations.count == 4 })
    #expect(sleep.durations == [1, 2, 4, 8].map { .seconds($0) })
    await client.close(within: .zero)
  }

  @Test(
    arguments: [
      [0x00, 0x00], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x20, 0x00], [0x20, 0x02, 0x00, 0x09], [0xF0, 0x02, 1, 2],
      [0x20, 2, 0, 0, 0x30, 0x02, 0x00, 0x09], [0x20, 2, 0, 0, 0x30, 0x04, 0x00, 0x02, 0xC3, 0x28],
      [0x20, 2, 0, 0, 0x40, 0x01, 0x00], [0x20, 2, 0, 0, 0x90, 0x00], [0x20, 2, 0, 0, 0x36, 0x03, 0, 1, 0x41],
      Array(
        "HTTP/1.1 400 Bad Request\r\nServer: nginx\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\n0123456789"
          .utf8),
      Array("SSH-2.0-OpenSSH_9.2\r\n".utf8),
    ] as [[UInt8]])
  func testMalformedBytes_EndTheConnectionWithAReason(_ bytes: [UInt8]) async throws {
    let peer = try ScriptedPeer(.sending(bytes: bytes))
    var configuration = MQTTConfiguration.testing(port: peer.port)
    configuration.connectTimeout = .seconds(2)
    let client = try MQTTClient(configuration, sleep: ManualSleep(permits: 0).wait)
    var events = EventReader(client)
    let reason = try #require(await events.nextReason())
    let expected: [MQTTDisconnectReason] = [.malformedData, .connectTimedOut(.seconds(2))]
    #expect(expected.contains(reason), "\(reason)")
    await client.close(within: .zero)
  }

  @Test func testHugeIncomingMessage_EndsTheConnectionBeforeItIsRead() async throws {
    // CONNACK, then a PUBLISH of 200,000,000 bytes on the topic "t".
    let header: [UInt8] = [0x20, 2, 0, 0, 0x30, 0x80, 0x84, 0xAF, 0x5F, 0, 1, 0x74, 0x41]
    let peer = try ScriptedPeer(.sending(bytes: header, repeated: 1, total: 200_000_000))
    let client = try MQTTClient(.testing(port: peer.port), sleep: ManualSleep(permits: 0).wait)
    var events = EventReader(client)
    let reason = await events.nextReason()
    #expect(reason == .messageTooLarge(limit: 64 << 10))
    #expect(reason?.description == "the broker sent a message that is too large (the limit is 65536 bytes)")
    await client.close(within: .zero)
  }

  @Test func testFloodOfMessages_IsBoundedAndCounted() async throws {
    let publish: [UInt8] = [0x30, 4, 0, 1, 0x74, 0x41]
    let peer = try ScriptedPeer(.sending(bytes: [0x20, 2, 0, 0] + publish, repeated: 6, total: 4 + 6 * 50_000))
    let client = try MQTTClient(.testing(port: peer.port), sleep: ManualSleep(permits: 0).wait)
    #expect(await Eventually.holds { client.counters.received == 50_000 })
    // 1 MiB of events wait, each with 64 bytes at least, and nobody reads them.
    #expect(client.counters.receivedDropped >= 50_000 - (1 << 20) / 64)
    await client.close(within: .zero)
  }

  @Test func testWrongPassword_IsReported() async throws {
    var options = MosquittoOptions()
    options.users = ["station": "right"]
    let broker = try await MosquittoBroker.start(options)
    var configuration = MQTTConfiguration.testing(broker)
    configuration.user = "station"
    configuration.password = "wrong"
    let refused = try MQTTClient(configuration, sleep: ManualSleep(permits: 0).wait)
    var events = EventReader(refused)
    let reason = await events.nextReason()
    #expect(reason == .notAuthorized)
    #expect(reason?.description == "the broker does not authorize this client; check user name and password")
    await refused.close(within: .zero)

    configuration.password = "right"
    let accepted = try MQTTClient(configuration)
    accepted.publish(MQTTMessage(topic: "t", text: "x"))
    #expect(await accepted.close() == .delivered)
  }

  @Test(
    arguments: [
      (1, .protocolRefused), (2, .clientIDRefused), (3, .brokerUnavailable), (4, .wrongCredentials),
      (5, .notAuthorized),
    ] as [(UInt8, MQTTDisconnectReason)])
  func testRefusal_IsReported(code: UInt8, expected: MQTTDisconnectReason) async throws {
    let peer = try ScriptedPeer(.sending(bytes: [0x20, 2, 0, code]))
    let client = try MQTTClient(.testing(port: peer.port), sleep: ManualSleep(permits: 0).wait)
    var events = EventReader(client)
    #expect(await events.nextReason() == expected)
    await client.close(within: .zero)
  }

  @Test func testRefusedSubscription_IsReported() async throws {
    // CONNACK and a SUBACK of the first identifier with a refusal.
    let peer = try ScriptedPeer(.answering([[0x20, 2, 0, 0], [0x90, 3, 0, 1, 0x80]]))
    let client = try MQTTClient(.testing(port: peer.port), sleep: ManualSleep(permits: 0).wait)
    try client.subscribe("secret/#")
    var events = EventReader(client)
    let event = await events.next { $0 != .connected }
    #expect(event == .subscriptionRefused(filter: "secret/#"))
    await client.close(within: .zero)
  }

  @Test func testDeadBroker_IsNoReasonToKeepMoreThanTheLimits() async throws {
    let client = try MQTTClient(.testing(port: try FreePort.find()), sleep: ManualSleep(permits: 0).wait)
    for number in 0..<20_000 {
      client.publish(MQTTMessage(topic: "t/\(number % 4)", text: "\(number)", isRetained: number % 100 == 0))
    }
    let counters = client.counters
    #expect(counters.queued == 4096)
    #expect(counters.queuedBytes <= 4 << 20)
    #expect(counters.dropped + counters.replaced + counters.queued == 20_000)
    await client.close(within: .zero)
  }
}
