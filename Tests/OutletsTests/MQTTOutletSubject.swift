import Foundation
import MQTT
import MosquittoTestKit
import Outlets
import TachogramContracts
import Testing

/// The MQTT outlet with a broker of its own.
struct MQTTOutletSubject: OutletSubject {
  private let broker: MosquittoBroker
  private let subscriber: MosquittoSubscriber
  private let silent: ScriptedPeer

  init() async throws {
    broker = try await MosquittoBroker.start()
    subscriber = try await MosquittoSubscriber(broker, topic: "tachogram/+/+/state")
    silent = try ScriptedPeer(.silent)
  }

  static func options(port: Int) throws -> MQTTOutletOptions {
    let key = try #require(OutletKey(bytes: Array(repeating: 7, count: 32)))
    return MQTTOutletOptions(
      broker: MQTTConfiguration(host: "127.0.0.1", port: port, clientID: "tachogram-bedroom"), station: "bedroom",
      stationName: "Bedroom", version: "1.0", key: key)
  }

  func outlet(
    for peer: OutletPeer, sleep: @escaping @Sendable (Duration) async -> Void
  ) async throws -> any OutletProtocol {
    let port =
      switch peer {
      case .working: broker.port
      case .dead: try FreePort.find()
      case .stalled: silent.port
      }
    return MQTTOutlet(try Self.options(port: port), sleep: sleep)
  }

  func hasReceived(heartRate: Int) async -> Bool {
    while let message = await subscriber.next() {
      let state = try? JSONSerialization.jsonObject(with: Data(message.payload)) as? [String: Any]
      if state?["heart_rate"] as? Int == heartRate { return true }
    }
    return false
  }

  func restartPeer() async throws {
    try await broker.stop()
    try await broker.start()
  }
}
