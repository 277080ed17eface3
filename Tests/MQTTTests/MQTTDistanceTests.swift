import Glibc
import MQTT
import MosquittoTestKit
import Testing

/// Brokers beyond a network: TCP is not connected yet when libmosquitto begins.
@Suite(.timeLimit(.minutes(15)))
struct MQTTDistanceTests {
  @Test(arguments: [false, true])
  func testBrokerThatConnectsLate_IsUsedAtTheFirstAttempt(usesTLS: Bool) async throws {
    let certificates = try await TestCertificates()
    var options = MosquittoOptions()
    options.tls = usesTLS ? certificates : nil
    let broker = try await MosquittoBroker.start(options)
    let listener = try LateListener()
    var configuration = MQTTConfiguration.testing(port: listener.port)
    configuration.tls = usesTLS ? MQTTTLS(authorities: certificates.authority) : nil
    let client = try MQTTClient(configuration, sleep: ManualSleep(permits: 0).wait)
    for _ in 0..<20 {
      client.publish(MQTTMessage(topic: "t", payload: Array(repeating: 1, count: 50_000), qos: .atLeastOnce))
    }
    #expect(await Eventually.holds { listener.isCalled })
    listener.open(relayingTo: broker.port)
    #expect(await client.close(within: .seconds(60)) == .delivered)
    #expect(client.counters.attempts == 1)
  }

  /// In a process of its own, whose processor time is that of the client.
  @Test func testHandshakeThatIsNotAnswered_CostsNoProcessorTime() async {
    await #expect(processExitsWith: .success) {
      let listener = try LateListener()
      var configuration = MQTTConfiguration.testing(port: listener.port)
      configuration.tls = MQTTTLS()
      configuration.connectTimeout = .seconds(3)
      let client = try MQTTClient(configuration, sleep: ManualSleep(permits: 0).wait)
      try #require(await Eventually.holds { listener.isCalled })
      let start = Self.processorTime
      listener.open(relayingTo: nil)
      var events = EventReader(client)
      try #require(await events.nextReason() == .connectTimedOut(.seconds(3)))
      // About two seconds go by after the connection.
      let taken = Self.processorTime - start
      try #require(taken < .milliseconds(500), "\(taken)")
    }
  }

  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
