import MQTT
import TachogramContracts

@testable import Outlets

/// A day of four straps, by a clock of its own.
struct MQTTPublisherDay {
  private var publisher: MQTTPublisher
  private let start = ContinuousClock.now
  private(set) var count = 0

  init(key: OutletKey) {
    publisher = MQTTPublisher(
      MQTTOutletOptions(
        broker: MQTTConfiguration(host: "localhost", clientID: "day"), station: "bedroom", stationName: "Bedroom",
        version: "1.0", key: key))
  }

  mutating func messages(second: Int) -> [MQTTMessage] {
    var delivery = OutletDelivery()
    delivery.readings = (0..<4).map { OutletContract.reading(strap: $0, heartRate: 60 + second % 30) }
    let messages = publisher.handle(delivery, at: start.advanced(by: .seconds(second)))
    count += messages.count
    return messages
  }
}
