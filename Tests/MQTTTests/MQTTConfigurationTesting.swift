import MQTT
import MosquittoTestKit

extension MQTTConfiguration {
  /// The configuration for a broker or a peer of a test.
  static func testing(port: Int) -> MQTTConfiguration {
    var configuration = MQTTConfiguration(
      host: "127.0.0.1", port: port, clientID: "test-\(UInt32.random(in: .min ... .max))")
    configuration.connectTimeout = .seconds(20)
    return configuration
  }

  static func testing(_ broker: MosquittoBroker) -> MQTTConfiguration { testing(port: broker.port) }
}
