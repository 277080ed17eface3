import MQTT
import MosquittoTestKit
import Testing

/// TLS with a real broker.
@Suite(.timeLimit(.minutes(15)))
struct MQTTTLSTests {
  private static func broker(
    _ certificates: TestCertificates, requiresClientCertificate: Bool = false
  ) async throws -> MosquittoBroker {
    var options = MosquittoOptions()
    options.tls = certificates
    options.requiresClientCertificate = requiresClientCertificate
    return try await MosquittoBroker.start(options)
  }

  private static func configuration(_ broker: MosquittoBroker, _ tls: MQTTTLS?) -> MQTTConfiguration {
    var configuration = MQTTConfiguration.testing(broker)
    configuration.host = "localhost"
    configuration.tls = tls
    return configuration
  }

  private func reason(_ configuration: MQTTConfiguration) async throws -> MQTTDisconnectReason? {
    let client = try MQTTClient(configuration, sleep: ManualSleep(permits: 0).wait)
    var events = EventReader(client)
    let event = await events.next()
    await client.close(within: .zero)
    guard case .disconnected(let reason, _) = event else { return nil }
    return reason
  }

  @Test(arguments: ["localhost", "127.0.0.1"])
  func testTrustedBroker_IsUsed(host: String) async throws {
    let certificates = try await TestCertificates()
    let broker = try await Self.broker(certificates)
    var configuration = Self.configuration(broker, MQTTTLS(authorities: certificates.authority))
    configuration.host = host
    let client = try MQTTClient(configuration)
    try client.subscribe("t")
    for number in 0..<100 { client.publish(MQTTMessage(topic: "t", text: "\(number)", qos: .atLeastOnce)) }
    client.publish(MQTTMessage(topic: "t", payload: Array(repeating: 1, count: 500_000)))
    #expect(await client.close() == .delivered)
    #expect(client.counters.published == 101)
  }

  @Test func testUntrustedCertificate_IsRefusedUnlessAnyIsAccepted() async throws {
    let certificates = try await TestCertificates()
    let broker = try await Self.broker(certificates)
    let untrusted = MQTTDisconnectReason.tls(.untrustedCertificate)
    #expect(try await reason(Self.configuration(broker, MQTTTLS(authorities: certificates.stranger))) == untrusted)
    #expect(try await reason(Self.configuration(broker, MQTTTLS())) == untrusted)
    #expect(
      untrusted.description
        == "no TLS connection: the broker's certificate is not trusted; set the file of its certificate authority")

    var tls = MQTTTLS()
    tls.acceptsAnyCertificate = true
    let client = try MQTTClient(Self.configuration(broker, tls))
    client.publish(MQTTMessage(topic: "t", text: "x"))
    #expect(await client.close() == .delivered)
  }

  @Test func testCertificateOfAnotherHost_IsRefused() async throws {
    let certificates = try await TestCertificates()
    var options = MosquittoOptions()
    (options.tls, options.certificate) = (certificates, "elsewhere")
    let broker = try await MosquittoBroker.start(options)
    let found = try await reason(Self.configuration(broker, MQTTTLS(authorities: certificates.authority)))
    #expect(found == .tls(.wrongHostName))
    #expect(found?.description == "no TLS connection: the broker's certificate is for another host name")
  }

  @Test func testClientCertificate_IsSentWhereItIsDemanded() async throws {
    let certificates = try await TestCertificates()
    let broker = try await Self.broker(certificates, requiresClientCertificate: true)
    var tls = MQTTTLS(authorities: certificates.authority)
    let refusal = try await reason(Self.configuration(broker, tls))
    // With TLS 1.3, the refusal may be lost when the broker closes the connection.
    #expect(
      [.tls(.clientCertificateRefused), .closedBeforeAccepted].contains(refusal), "\(String(describing: refusal))")

    tls.certificate = certificates.clientCertificate
    tls.key = certificates.clientKey
    let client = try MQTTClient(Self.configuration(broker, tls))
    client.publish(MQTTMessage(topic: "t", text: "x"))
    #expect(await client.close() == .delivered)
  }

  @Test func testKeyOfAnotherCertificate_IsReported() async throws {
    let certificates = try await TestCertificates()
    let broker = try await Self.broker(certificates)
    var tls = MQTTTLS(authorities: certificates.authority)
    tls.certificate = certificates.clientCertificate
    tls.key = certificates.key("elsewhere")
    #expect(try await reason(Self.configuration(broker, tls)) == .tls(.unusableCertificateFile))
  }

  @Test func testBrokerWithoutTLS_IsReported() async throws {
    let certificates = try await TestCertificates()
    let broker = try await MosquittoBroker.start()
    let configuration = Self.configuration(broker, MQTTTLS(authorities: certificates.authority))
    let found = try await reason(configuration)
    #expect(found == .closedBeforeAccepted || found == .tls(.notTLS), "\(String(describing: found))")
  }

  @Test func testClientWithoutTLS_IsToldThatTheBrokerMayNeedIt() async throws {
    let certificates = try await TestCertificates()
    let broker = try await Self.broker(certificates)
    #expect(try await reason(Self.configuration(broker, nil)) == .closedBeforeAccepted)
  }

  @Test(arguments: [
    ScriptedPeer.Behaviour.silent, .closing, .sending(bytes: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)),
  ])
  func testPeerThatFailsTheHandshake_IsReportedInTime(_ behaviour: ScriptedPeer.Behaviour) async throws {
    let peer = try ScriptedPeer(behaviour)
    var configuration = MQTTConfiguration.testing(port: peer.port)
    configuration.tls = MQTTTLS()
    configuration.connectTimeout = .milliseconds(500)
    let found = try #require(try await reason(configuration))
    #expect([.closedBeforeAccepted, .connectTimedOut(.milliseconds(500)), .tls(.notTLS)].contains(found), "\(found)")
  }
}
