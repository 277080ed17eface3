import Testing

@testable import MQTT

struct MQTTConfigurationTests {
  private func error(_ change: (inout MQTTConfiguration) -> Void) -> MQTTError? {
    var configuration = MQTTConfiguration(host: "broker", clientID: "a")
    change(&configuration)
    do throws(MQTTError) {
      try configuration.validate()
      return nil
    } catch {
      return error
    }
  }

  @Test func testInvalidValue_IsRefused() {
    #expect(error { _ in } == nil)
    #expect(error { $0.host = "" } == .invalidHost)
    #expect(error { $0.port = 0 } == .invalidPort(0))
    #expect(error { $0.clientID = "" } == .invalidClientID)
    #expect(error { $0.clientID = "a\n" } == .invalidClientID)
    #expect(error { $0.keepAlive = 4 } == .invalidKeepAlive(4))
    #expect(error { $0.password = "x" } == .passwordWithoutUser)
    #expect(error { $0.user = "a\u{0}" } == .invalidCredentials)
    #expect(error { $0.will = MQTTMessage(topic: "a/#", text: "") } == .invalidTopic("a/#"))
    #expect(error { $0.tls = MQTTTLS(authorities: "/nowhere.pem") } == .unreadableFile("/nowhere.pem"))
    #expect(
      error {
        $0.tls = MQTTTLS(); $0.tls?.key = "/etc/hostname"
      } == .certificateWithoutKey)
  }

  @Test func testMissingLibrary_IsReportedWithItsPackage() {
    #expect {
      _ = try MQTTClient(
        MQTTConfiguration(host: "broker", clientID: "a"), library: "libmosquitto.so.none", sleep: { _ in },
        random: { 0 })
    } throws: { error in
      "\(error)" == "MQTT needs libmosquitto.so.1; install the package libmosquitto1"
    }
  }

  @Test(arguments: [
    ("a/b", true), ("a", true), ("/", true), ("", false), ("a/+", false), ("#", false), ("$SYS/x", false),
    ("a\u{0}", false), ("a\u{FFFF}", false), ("ä/ö", true), (String(repeating: "a", count: 65536), false),
    (String(repeating: "/", count: 99), true), (String(repeating: "/", count: 100), false),
  ])
  func testTopic(topic: String, isValid: Bool) { #expect(MQTTTopicRules.isTopic(topic) == isValid) }

  @Test(arguments: [
    ("a/b", true), ("#", true), ("a/#", true), ("+/b/+", true), ("$SYS/#", true), ("", false), ("a#", false),
    ("a/#/b", false),
    ("a+/b", false), ("a/##", false),
  ])
  func testFilter(filter: String, isValid: Bool) { #expect(MQTTTopicRules.isFilter(filter) == isValid) }

  @Test func testSixtyFifthSubscription_IsRefused() throws {
    let mailbox = try MQTTMailbox(limits: MQTTQueueLimits())
    for number in 0..<64 { try mailbox.subscribe("a/\(number)", .atMostOnce) }
    try mailbox.subscribe("a/0", .atLeastOnce)
    #expect(throws: MQTTError.tooManySubscriptions(limit: 64)) { try mailbox.subscribe("b", .atMostOnce) }
    #expect(throws: MQTTError.invalidTopic("a/#/b")) { try mailbox.subscribe("a/#/b", .atMostOnce) }
  }
}
