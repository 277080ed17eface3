import Foundation
import MQTT

/// Checks a device discovery message against the rules of Home Assistant.
struct HomeAssistantRules {
  private(set) var violations: Set<HomeAssistantRule> = []
  private let stateKeys: Set<String>

  /// `stateKeys` are the keys of the JSON on the state topic.
  init(topic: String, payload: [UInt8], stateKeys: Set<String>) {
    self.stateKeys = stateKeys
    check(.discoveryTopic, topic.wholeMatch(of: #/[^+#]+/device/([a-zA-Z0-9_-]+/)?[a-zA-Z0-9_-]+/config/#) != nil)
    guard !payload.isEmpty else { return }
    guard let json = (try? JSONSerialization.jsonObject(with: Data(payload))) as? [String: Any] else {
      check(.jsonObject, false)
      return
    }
    checkRoot(expand(json, HomeAssistantKeys.abbreviations))
  }

  private mutating func check(_ rule: HomeAssistantRule, _ isObeyed: Bool) {
    if !isObeyed { violations.insert(rule) }
  }

  private func expand(_ object: [String: Any], _ abbreviations: [String: String]) -> [String: Any] {
    Dictionary(object.map { (abbreviations[$0.key] ?? $0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  private func isText(_ value: Any?) -> Bool { (value as? String)?.isEmpty == false }

  private func isTopic(_ value: Any?) -> Bool { (value as? String).map(MQTTTopicRules.isTopic) ?? false }

  private func isFilter(_ value: Any?) -> Bool { (value as? String).map(MQTTTopicRules.isFilter) ?? false }

  // MARK: - Levels

  private mutating func checkRoot(_ root: [String: Any]) {
    check(.knownKeys, HomeAssistantKeys.root.isSuperset(of: root.keys))
    let device = expand(root["device"] as? [String: Any] ?? [:], HomeAssistantKeys.deviceAbbreviations)
    check(.knownKeys, HomeAssistantKeys.device.isSuperset(of: device.keys))
    let identifiers = device["identifiers"] as? [String] ?? (device["identifiers"] as? String).map { [$0] } ?? []
    let connections = device["connections"] as? [[String]] ?? []
    check(
      .deviceIdentifiers, !(identifiers + connections.flatMap(\.self)).isEmpty && identifiers.allSatisfy { !$0.isEmpty }
    )
    let origin = expand(root["origin"] as? [String: Any] ?? [:], HomeAssistantKeys.originAbbreviations)
    check(.knownKeys, HomeAssistantKeys.origin.isSuperset(of: origin.keys))
    check(.originName, isText(origin["name"]))
    checkShared(root)
    let components = root["components"] as? [String: [String: Any]] ?? [:]
    check(.components, !components.isEmpty)
    var identifiersOfEntities: [String] = []
    for component in components.values {
      let component = expand(component, HomeAssistantKeys.abbreviations)
      checkComponent(component, root: root, deviceName: device["name"] as? String)
      if let id = component["unique_id"] as? String { identifiersOfEntities.append(id) }
    }
    check(.uniqueIDsDiffer, Set(identifiersOfEntities).count == identifiersOfEntities.count)
  }

  /// What may be at the root and in a component.
  private mutating func checkShared(_ object: [String: Any]) {
    if let list = object["availability"] {
      let entries = (list as? [[String: Any]] ?? []).map { expand($0, HomeAssistantKeys.abbreviations) }
      check(.availability, !entries.isEmpty && object["availability_topic"] == nil)
      for entry in entries {
        check(.knownKeys, HomeAssistantKeys.availability.isSuperset(of: entry.keys))
        check(.availability, isFilter(entry["topic"]))
      }
    }
    if let mode = object["availability_mode"] {
      check(.availabilityMode, ["all", "any", "latest"].contains(mode as? String))
    }
    for key in ["state_topic", "availability_topic", "json_attributes_topic"] where object[key] != nil {
      check(.topics, isFilter(object[key]))
    }
    if let topic = object["command_topic"] { check(.topics, isTopic(topic)) }
    if let qos = object["qos"] { check(.qos, (0...2).contains(qos as? Int ?? -1)) }
  }

  private mutating func checkComponent(_ component: [String: Any], root: [String: Any], deviceName: String?) {
    guard let platform = component["platform"] as? String, let known = HomeAssistantKeys.components[platform] else {
      return check(.platform, false)
    }
    // Nothing but the platform removes an entity.
    guard component.count > 1 else { return }
    check(.knownKeys, known.isSuperset(of: component.keys))
    check(.uniqueID, isText(component["unique_id"]))
    if let name = component["name"] {
      check(.name, isText(name) && !(name as? String ?? "").hasPrefix(deviceName ?? "\n"))
    }
    checkShared(component)
    checkAppearance(component, platform)
    checkTemplate(component)
    switch platform {
    case "sensor":
      check(.stateTopic, isFilter(component["state_topic"] ?? root["state_topic"]))
      checkSensor(component)
    case "binary_sensor":
      check(.stateTopic, isFilter(component["state_topic"] ?? root["state_topic"]))
      if let name = component["device_class"] {
        check(.binarySensorDeviceClass, HomeAssistantKeys.binarySensorClasses.contains(name as? String ?? ""))
      }
      checkSwitching(component, on: "payload_on", off: "payload_off")
    default:
      check(.commandTopic, isTopic(component["command_topic"]))
      check(.notRetained, component["retain"] as? Bool ?? false == false)
      checkSwitching(component, on: "payload_on", off: "payload_off")
      checkSwitching(component, on: "state_on", off: "state_off")
    }
    if let seconds = component["expire_after"] { check(.expireAfter, seconds as? Int ?? 0 > 0) }
  }

  // MARK: - Parts of a component

  private mutating func checkAppearance(_ component: [String: Any], _ platform: String) {
    if let category = component["entity_category"] as? String {
      // Only an entity that changes something is a configuration.
      let isReadOnly = platform.hasSuffix("sensor")
      check(.entityCategory, category == "diagnostic" || (category == "config" && !isReadOnly))
    }
    if let icon = component["icon"] {
      check(.icon, (icon as? String ?? "").wholeMatch(of: #/[a-z]+:[a-z0-9-]+/#) != nil)
    }
  }

  private mutating func checkTemplate(_ component: [String: Any]) {
    guard let template = component["value_template"] else { return }
    guard let text = template as? String,
      let match = text.wholeMatch(of: #/\{\{ value_json\.([a-z_]+) \}\}/#)
    else { return check(.valueTemplate, false) }
    check(.valueTemplate, stateKeys.contains(String(match.output.1)))
  }

  private mutating func checkSwitching(_ component: [String: Any], on: String, off: String) {
    guard component[on] != nil || component[off] != nil else { return }
    check(.switchStates, isText(component[on]) && isText(component[off]))
    check(.switchStates, component[on] as? String != component[off] as? String)
  }

  private mutating func checkSensor(_ component: [String: Any]) {
    let name = component["device_class"] as? String
    let unit = component["unit_of_measurement"] as? String
    let state = component["state_class"] as? String
    let options = component["options"] as? [String]
    if component["options"] != nil || name == "enum" {
      check(.optionsOfEnum, options?.isEmpty == false && name == "enum")
      check(.optionsAlone, unit == nil && state == nil)
    }
    if let name {
      let units = HomeAssistantKeys.units[name]
      check(.sensorDeviceClass, units != nil || HomeAssistantKeys.classesWithoutUnit.contains(name))
      check(.unit, units.map { $0.contains(unit ?? "") } ?? (unit == nil))
    }
    if let state {
      check(.stateClass, HomeAssistantKeys.stateClasses.contains(state))
      check(.stateClass, state == "measurement" || !HomeAssistantKeys.measured.contains(name ?? ""))
    }
    if let precision = component["suggested_display_precision"] { check(.precision, precision as? Int ?? -1 >= 0) }
  }
}
