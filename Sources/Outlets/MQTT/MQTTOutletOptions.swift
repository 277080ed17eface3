import HomeAssistant
import MQTT

/// What the MQTT outlet is configured with.
package struct MQTTOutletOptions: Sendable {
  /// The broker, with user and password.
  package var broker: MQTTConfiguration
  /// The name of the station in topics.
  package var station: String
  /// What people call the station.
  package var stationName: String
  /// The version of this program.
  package var version: String
  /// The least time between two states of a strap.
  package var interval = Duration.seconds(10)
  package var sendsBeats = false
  /// The first level of the topics of Home Assistant's discovery, or `nil` for no announcements.
  package var discoveryPrefix: String? = HomeAssistantDevice.defaultPrefix
  /// Whether Home Assistant, and whoever may write to the broker, can start and stop recording.
  package var acceptsCommands = false
  package var key: OutletKey
  /// Returns the addresses of the straps that the station expects though it may not receive them, or `nil` if they are not known at the
  /// moment. What an earlier run announced of other straps is removed.
  package var expected: @Sendable () async -> [String]? = { nil }

  package init(broker: MQTTConfiguration, station: String, stationName: String, version: String, key: OutletKey) {
    (self.broker, self.station, self.stationName) = (broker, station, stationName)
    (self.version, self.key) = (version, key)
  }
}
