import Foundation
import HomeAssistant
import Testing

/// Each rule fails on a message that breaks it.
struct HomeAssistantRulesTests {
  struct Breach: Sendable, CustomTestStringConvertible {
    let rule: HomeAssistantRule
    /// Changes the JSON of a valid message.
    let change: @Sendable (inout [String: Any]) -> Void
    var topic = "homeassistant/device/tachogram_a_b/config"

    var testDescription: String { rule.rawValue }
  }

  private static func component(
    _ rule: HomeAssistantRule, _ name: String, _ key: String, _ value: (any Sendable)?
  ) -> Breach {
    Breach(rule: rule) { json in
      var components = json["cmps"] as? [String: [String: Any]] ?? [:]
      components[name]?[key] = value
      json["cmps"] = components
    }
  }

  private static func root(_ rule: HomeAssistantRule, _ key: String, _ value: (any Sendable)?) -> Breach {
    Breach(rule: rule) { $0[key] = value }
  }

  static let breaches: [Breach] = [
    Breach(rule: .discoveryTopic, change: { _ in }, topic: "homeassistant/device/tachogram ä/config"),
    Breach(rule: .discoveryTopic, change: { _ in }, topic: "homeassistant/device/a/b/c/config"),
    root(.knownKeys, "state_tpic", "a"), root(.knownKeys, "device_class", "battery"),
    root(.knownKeys, "dev", ["ids": ["a"], "vendor": "x"] as [String: any Sendable]),
    root(.knownKeys, "o", ["name": "a", "version": "1"]),
    component(.knownKeys, "heart_rate", "units", "bpm"), component(.knownKeys, "recording", "expire_after", 30),
    root(.knownKeys, "availability", [["topic": "a", "payload": "x"]]),
    root(.deviceIdentifiers, "dev", ["name": "x"]), root(.deviceIdentifiers, "dev", nil),
    root(.deviceIdentifiers, "dev", ["ids": ""]),
    root(.originName, "o", nil), root(.originName, "o", ["sw": "1"]),
    root(.components, "cmps", nil), root(.components, "cmps", [String: String]()),
    component(.platform, "heart_rate", "p", nil), component(.platform, "heart_rate", "p", "heart"),
    component(.uniqueID, "heart_rate", "unique_id", nil),
    component(.uniqueIDsDiffer, "heart_rate", "unique_id", "tachogram_a_b_rmssd"),
    component(.name, "heart_rate", "name", "Strap Heart rate"), component(.name, "heart_rate", "name", ""),
    root(.availability, "availability", [String]()), root(.availability, "availability", [["payload_available": "x"]]),
    root(.availability, "availability_topic", "a"), root(.availability, "availability", [["topic": "a/#/b"]]),
    root(.availabilityMode, "availability_mode", "both"),
    root(.topics, "state_topic", "a/#/b"), component(.topics, "recording", "command_topic", "a/+/set"),
    root(.stateTopic, "state_topic", nil),
    component(.commandTopic, "recording", "command_topic", nil),
    component(.notRetained, "recording", "retain", true),
    root(.qos, "qos", 3), component(.qos, "recording", "qos", -1),
    component(.expireAfter, "heart_rate", "expire_after", 0),
    component(.expireAfter, "contact", "expire_after", "30 s"),
    component(.optionsOfEnum, "sleep_stage", "options", nil),
    component(.optionsOfEnum, "sleep_stage", "options", [String]()),
    component(.optionsOfEnum, "session", "options", ["a"]),
    component(.optionsAlone, "sleep_stage", "state_class", "measurement"),
    component(.optionsAlone, "sleep_stage", "unit_of_measurement", "h"),
    component(.sensorDeviceClass, "heart_rate", "device_class", "heart_rate"),
    component(.unit, "battery", "unit_of_measurement", "V"), component(.unit, "signal", "unit_of_measurement", nil),
    component(.unit, "sleep_stage", "unit_of_measurement", "ms"),
    component(.stateClass, "heart_rate", "state_class", "measured"),
    component(.stateClass, "battery", "state_class", "total"),
    component(.binarySensorDeviceClass, "contact", "device_class", "skin"),
    component(.entityCategory, "battery", "entity_category", "config"),
    component(.entityCategory, "recording", "entity_category", "system"),
    component(.icon, "heart_rate", "icon", "heart"),
    component(.valueTemplate, "heart_rate", "value_template", "{{ value_json.hr }}"),
    component(.valueTemplate, "heart_rate", "value_template", "{{ value_json.heart_rate }"),
    component(.switchStates, "contact", "payload_off", nil), component(.switchStates, "contact", "payload_off", "True"),
    component(.switchStates, "recording", "state_on", ""),
    component(.precision, "heart_rate", "suggested_display_precision", -1),
  ]

  private static var valid: HomeAssistantMessage {
    var device = HomeAssistantDevice(
      topics: MQTTTopics(station: "a"), stationName: "Station", strap: "b", name: "Strap", softwareVersion: "1")
    device.components = Set(StrapComponent.allCases)
    return device.announcement()
  }

  @Test(arguments: breaches)
  func testBrokenMessage_BreaksItsRule(_ breach: Breach) throws {
    var json = try #require(JSONSerialization.jsonObject(with: Data(Self.valid.payload)) as? [String: Any])
    breach.change(&json)
    let payload = Array(try JSONSerialization.data(withJSONObject: json))
    let rules = HomeAssistantRules(topic: breach.topic, payload: payload, stateKeys: StateKeys.all)
    #expect(rules.violations.contains(breach.rule), "see \(breach.rule.page)")
  }

  @Test(arguments: ["", "[]", "{", "null", "\"x\""].dropFirst())
  func testPayloadThatIsNoObject_BreaksItsRule(text: String) {
    let rules = HomeAssistantRules(topic: Self.valid.topic, payload: Array(text.utf8), stateKeys: [])
    #expect(rules.violations == [.jsonObject])
  }

  @Test func testEveryRule_IsTested() {
    #expect(Set(Self.breaches.map(\.rule)).union([.jsonObject]) == Set(HomeAssistantRule.allCases))
  }

  @Test func testMessageWithAbbreviations_IsValid() {
    let text = """
      {"dev": {"ids": "x", "mf": "m"}, "o": {"name": "n", "url": "u"}, "stat_t": "a/b", "avty_t": "c", "qos": 1,
       "cmps": {"s": {"p": "sensor", "uniq_id": "1", "dev_cla": "battery", "unit_of_meas": "%", "stat_cla": "measurement"},
                "old": {"p": "sensor"}}}
      """
    let rules = HomeAssistantRules(
      topic: "homeassistant/device/n/x/config", payload: Array(text.utf8), stateKeys: [])
    #expect(rules.violations.isEmpty)
  }
}
