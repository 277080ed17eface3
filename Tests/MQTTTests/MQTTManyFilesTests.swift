import CommandProcess
import Glibc
import MQTT
import MosquittoTestKit
import Testing

/// A client in a process with many open files. `select`, which libmosquitto's own loop uses, has no room for descriptors from 1024.
@Suite(.timeLimit(.minutes(15)))
struct MQTTManyFilesTests {
  /// The hard limit of open files.
  private static var limit: Int {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(limit.rlim_max)
  }

  /// In a process of its own: other tests would not find a low descriptor either.
  @Test(.enabled(if: limit >= 2_048, "more open files are not allowed here"))
  func testHighDescriptors_AreUsed() async {
    await #expect(processExitsWith: .success) {
      OpenFiles.allow(2_048)
      let certificates = try await TestCertificates()
      var options = MosquittoOptions()
      options.tls = certificates
      let brokers = [
        (try await MosquittoBroker.start(), MQTTTLS?.none),
        (try await MosquittoBroker.start(options), MQTTTLS(authorities: certificates.authority)),
      ]
      while true {
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        if descriptor >= 1_100 { break }
      }
      for (broker, tls) in brokers {
        var configuration = MQTTConfiguration.testing(broker)
        configuration.tls = tls
        let client = try MQTTClient(configuration)
        try client.subscribe("t")
        for _ in 0..<20 {
          client.publish(MQTTMessage(topic: "t", payload: Array(repeating: 1, count: 50_000), qos: .atLeastOnce))
        }
        try #require(await client.close() == .delivered)
        try #require(client.counters.published == 20)
      }
    }
  }
}
