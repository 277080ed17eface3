/// An entity in a discovery payload. Sources: home-assistant.io/integrations/sensor.mqtt, binary_sensor.mqtt and switch.mqtt, and
/// home-assistant.io/integrations/sensor#device-class.
struct DiscoveryComponent: Encodable {
  // swift-format-ignore: the key that Home Assistant prescribes.
  private let p: String
  private var uniqueID: String?
  private var name: String?
  private var valueTemplate: String?
  private var expireAfter: Int?
  private var deviceClass: String?
  private var unit: String?
  private var stateClass: String?
  private var precision: Int?
  private var options: [String]?
  private var entityCategory: String?
  private var icon: String?
  private var payloadOn: String?
  private var payloadOff: String?
  private var stateOn: String?
  private var stateOff: String?
  private var commandTopic: String?
  private var qos: Int?

  private enum CodingKeys: String, CodingKey {
    case p, name, options, icon, qos
    case uniqueID = "unique_id"
    case valueTemplate = "value_template"
    case expireAfter = "expire_after"
    case deviceClass = "device_class"
    case unit = "unit_of_measurement"
    case stateClass = "state_class"
    case precision = "suggested_display_precision"
    case entityCategory = "entity_category"
    case payloadOn = "payload_on"
    case payloadOff = "payload_off"
    case stateOn = "state_on"
    case stateOff = "state_off"
    case commandTopic = "command_topic"
  }

  /// A component with nothing but its platform: Home Assistant deletes the entity.
  init(removing component: StrapComponent) {
    p = Self.platform(component)
  }

  init(_ component: StrapComponent, of device: HomeAssistantDevice) {
    p = Self.platform(component)
    uniqueID = "\(device.identifier)_\(component.rawValue)"
    valueTemplate = "{{ value_json.\(component.rawValue) }}"
    // A switch cannot expire; its availability ends with that of the strap.
    expireAfter = component.isCommand ? nil : device.validity
    options = component.options
    deviceClass = options == nil ? nil : "enum"
    describe(component)
    if component == .recording {
      commandTopic = device.topics.command(strap: device.strap, component)
      qos = 1
    }
  }

  private static func platform(_ component: StrapComponent) -> String {
    switch component {
    case .contact: "binary_sensor"
    case .recording: "switch"
    default: "sensor"
    }
  }

  /// Neither heart rate nor intervals nor stress have a device class in Home Assistant; `duration` is for times that are shown as
  /// hours and minutes.
  private mutating func describe(_ component: StrapComponent) {
    switch component {
    case .heartRate:
      name = "Heart rate"
      icon = "mdi:heart-pulse"
      measure(in: "bpm", precision: 0)
    case .rmssd:
      name = "RMSSD"
      icon = "mdi:chart-bell-curve-cumulative"
      measure(in: "ms", precision: 0)
    case .sdnn:
      name = "SDNN"
      icon = "mdi:chart-bell-curve"
      measure(in: "ms", precision: 0)
    case .stress:
      name = "Stress level"
      icon = "mdi:gauge"
      measure(in: nil, precision: 0)
    case .stressCategory:
      name = "Stress category"
      icon = "mdi:emoticon-neutral-outline"
    case .battery:
      name = "Battery"
      deviceClass = "battery"
      entityCategory = "diagnostic"
      measure(in: "%", precision: 0)
    case .contact:
      name = "Skin contact"
      icon = "mdi:hand-heart"
      (payloadOn, payloadOff) = (Self.yes, Self.no)
    case .signal:
      name = "Signal strength"
      deviceClass = "signal_strength"
      entityCategory = "diagnostic"
      measure(in: "dBm", precision: 0)
    case .session:
      name = "Session"
      icon = "mdi:record-circle-outline"
    case .sleepStage:
      name = "Sleep stage"
      icon = "mdi:sleep"
    case .recording:
      name = "Recording"
      icon = "mdi:record-rec"
      (payloadOn, payloadOff) = ("start", "stop")
      (stateOn, stateOff) = (Self.yes, Self.no)
    }
  }

  /// How a template renders a Boolean of JSON.
  private static let yes = "True"
  private static let no = "False"

  private mutating func measure(in unit: String?, precision: Int) {
    stateClass = "measurement"
    self.unit = unit
    self.precision = precision
  }
}
