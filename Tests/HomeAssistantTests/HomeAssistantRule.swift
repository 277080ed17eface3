/// The rules for a device discovery message, from Home Assistant's documentation.
enum HomeAssistantRule: String, CaseIterable, Sendable {
  case discoveryTopic, jsonObject, knownKeys, deviceIdentifiers, originName, components, platform, uniqueID,
    uniqueIDsDiffer
  case name, availability, availabilityMode, topics, stateTopic, commandTopic, notRetained, qos, expireAfter
  case optionsOfEnum, optionsAlone, sensorDeviceClass, unit, stateClass, binarySensorDeviceClass, entityCategory, icon
  case valueTemplate, switchStates, precision

  /// The page that states the rule.
  var page: String {
    switch self {
    case .discoveryTopic: "home-assistant.io/integrations/mqtt/#discovery-topic"
    case .jsonObject, .knownKeys: "home-assistant.io/integrations/mqtt/#discovery-payload"
    case .deviceIdentifiers, .components, .platform, .uniqueID:
      "home-assistant.io/integrations/mqtt/#device-discovery-payload"
    case .originName: "home-assistant.io/integrations/mqtt/#discovery-payload (origin: required for devices)"
    case .uniqueIDsDiffer, .stateTopic, .name: "home-assistant.io/integrations/sensor.mqtt/#configuration-variables"
    case .availability, .availabilityMode: "home-assistant.io/integrations/mqtt/#using-availability-topics"
    case .topics: "docs.oasis-open.org/mqtt/mqtt/v3.1.1, section 4.7 (home-assistant.io/integrations/mqtt)"
    case .commandTopic, .notRetained, .switchStates:
      "home-assistant.io/integrations/switch.mqtt/#configuration-variables"
    case .qos, .expireAfter, .optionsOfEnum, .optionsAlone, .precision, .valueTemplate:
      "home-assistant.io/integrations/sensor.mqtt/#configuration-variables"
    case .sensorDeviceClass, .unit: "home-assistant.io/integrations/sensor/#device-class"
    case .stateClass: "developers.home-assistant.io/docs/core/entity/sensor/#available-state-classes"
    case .binarySensorDeviceClass: "home-assistant.io/integrations/binary_sensor/#device-class"
    case .entityCategory: "developers.home-assistant.io/docs/core/entity/#generic-properties"
    case .icon: "home-assistant.io/docs/configuration/customizing-devices/#icon"
    }
  }
}
