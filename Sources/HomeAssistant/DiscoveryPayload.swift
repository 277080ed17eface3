/// The payload of a device's discovery message (home-assistant.io/integrations/mqtt, "Device discovery payload").
struct DiscoveryPayload: Encodable {
  struct Device: Encodable {
    let ids: [String]
    let name: String
    let mf: String?
    let mdl: String?
    let sw: String
  }

  struct Origin: Encodable {
    let name: String
    let sw: String
  }

  struct Availability: Encodable {
    let topic: String
    let payloadAvailable = MQTTTopics.online
    let payloadNotAvailable = MQTTTopics.offline

    private enum CodingKeys: String, CodingKey {
      case topic
      case payloadAvailable = "payload_available"
      case payloadNotAvailable = "payload_not_available"
    }
  }

  let dev: Device
  // swift-format-ignore: the key that Home Assistant prescribes.
  let o: Origin
  let availability: [Availability]
  let availabilityMode = "all"
  let stateTopic: String
  let cmps: [String: DiscoveryComponent]

  private enum CodingKeys: String, CodingKey {
    case dev, o, availability, cmps
    case availabilityMode = "availability_mode"
    case stateTopic = "state_topic"
  }

  init(_ device: HomeAssistantDevice, removing removed: Set<StrapComponent>) {
    let model = device.model.map { "\($0), received by \(device.stationName)" } ?? "Received by \(device.stationName)"
    dev = Device(
      ids: [device.identifier], name: device.name, mf: device.manufacturer, mdl: model, sw: device.softwareVersion)
    o = Origin(name: "Tachogram", sw: device.softwareVersion)
    availability = [
      Availability(topic: device.topics.stationStatus), Availability(topic: device.topics.status(strap: device.strap)),
    ]
    stateTopic = device.topics.state(strap: device.strap)
    var components: [String: DiscoveryComponent] = [:]
    for component in removed.subtracting(device.components) {
      components[component.rawValue] = DiscoveryComponent(removing: component)
    }
    for component in device.components {
      components[component.rawValue] = DiscoveryComponent(component, of: device)
    }
    cmps = components
  }
}
