/// A strap as a device of Home Assistant.
package struct HomeAssistantDevice: Hashable, Sendable {
  /// The prefix of discovery topics unless it is set otherwise in Home Assistant.
  package static let defaultPrefix = "homeassistant"
  /// The least time for which a value is valid without a new one, in seconds.
  package static let leastValidity = 30

  /// The topics of the station.
  package var topics: MQTTTopics
  /// What users call the station.
  package var stationName: String
  /// The opaque identifier of the strap. It must not change, and must not be an address.
  package var strap: String
  /// What users call the strap; the name of the device.
  package var name: String
  /// The maker of the strap.
  package var manufacturer: String?
  /// The model of the strap.
  package var model: String?
  /// The version of Tachogram.
  package var softwareVersion: String
  /// The entities of the device. `StrapComponent.recording` lets users of Home Assistant start and stop recordings.
  package var components: Set<StrapComponent>
  /// The first level of discovery topics.
  package var prefix: String
  /// How long a value is valid without a new one, in seconds.
  package var validity = leastValidity

  package init(
    topics: MQTTTopics, stationName: String, strap: String, name: String, softwareVersion: String,
    components: Set<StrapComponent> = StrapComponent.readOnly, prefix: String = defaultPrefix,
  ) {
    self.topics = topics
    self.stationName = stationName
    self.strap = strap
    self.name = name
    self.softwareVersion = softwareVersion
    self.components = components
    self.prefix = prefix
  }

  /// The identifier of the device in Home Assistant.
  package var identifier: String { "tachogram_\(topics.station)_\(TopicName.make(strap))" }

  /// The topic of the device's announcement and removal.
  package var topic: String { "\(prefix)/device/\(identifier)/config" }

  /// The message that announces the device, or changes it. Home Assistant keeps entities that are no longer announced: those of
  /// `removed` are deleted. A later announcement without `removed` completes this.
  package func announcement(removing removed: Set<StrapComponent> = []) -> HomeAssistantMessage {
    HomeAssistantMessage(topic: topic, payload: JSONText.encode(DiscoveryPayload(self, removing: removed)))
  }

  /// The message that removes the device with its entities.
  package var removal: HomeAssistantMessage { HomeAssistantMessage(topic: topic, payload: []) }
}
