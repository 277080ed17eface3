/// The keys and values that Home Assistant knows, for the platforms of Tachogram. Sources: the tables of abbreviations in
/// home-assistant.io/integrations/mqtt, the configuration variables of sensor.mqtt, binary_sensor.mqtt, switch.mqtt and
/// button.mqtt, and the tables of device classes in home-assistant.io/integrations/sensor and binary_sensor.
enum HomeAssistantKeys {
  /// Abbreviations of keys outside `device` and `origin`.
  static let abbreviations = [
    "avty": "availability", "avty_mode": "availability_mode", "avty_t": "availability_topic",
    "avty_tpl": "availability_template", "cmd_t": "command_topic", "cmd_tpl": "command_template", "cmps": "components",
    "dev": "device", "dev_cla": "device_class", "e": "encoding", "en": "enabled_by_default",
    "ent_cat": "entity_category",
    "exp_aft": "expire_after", "frc_upd": "force_update", "ic": "icon", "json_attr_t": "json_attributes_topic",
    "json_attr_tpl": "json_attributes_template", "o": "origin", "off_dly": "off_delay", "ops": "options",
    "opt": "optimistic", "p": "platform", "pl_avail": "payload_available", "pl_not_avail": "payload_not_available",
    "pl_off": "payload_off", "pl_on": "payload_on", "pl_prs": "payload_press", "ret": "retain",
    "stat_cla": "state_class",
    "stat_off": "state_off", "stat_on": "state_on", "stat_t": "state_topic",
    "sug_dsp_prc": "suggested_display_precision",
    "t": "topic", "uniq_id": "unique_id", "unit_of_meas": "unit_of_measurement", "val_tpl": "value_template",
  ]
  static let deviceAbbreviations = [
    "cu": "configuration_url", "cns": "connections", "ids": "identifiers", "mf": "manufacturer", "mdl": "model",
    "mdl_id": "model_id", "hw": "hw_version", "sw": "sw_version", "sa": "suggested_area", "sn": "serial_number",
  ]
  static let originAbbreviations = ["sw": "sw_version", "url": "support_url"]

  static let root: Set = [
    "device", "origin", "components", "state_topic", "command_topic", "qos", "encoding", "availability",
    "availability_mode", "availability_topic", "availability_template", "payload_available", "payload_not_available",
  ]
  static let device: Set = [
    "configuration_url", "connections", "identifiers", "manufacturer", "model", "model_id", "hw_version", "sw_version",
    "suggested_area", "serial_number", "name", "via_device",
  ]
  static let origin: Set = ["name", "sw_version", "support_url"]
  static let availability: Set = ["topic", "payload_available", "payload_not_available", "value_template"]
  private static let entity: Set = [
    "platform", "unique_id", "name", "icon", "entity_category", "enabled_by_default", "qos", "encoding", "availability",
    "availability_mode", "availability_topic", "availability_template", "payload_available", "payload_not_available",
    "json_attributes_topic", "json_attributes_template", "default_entity_id",
  ]
  /// The keys of a component by its platform.
  static let components: [String: Set<String>] = [
    "sensor": entity.union([
      "state_topic", "value_template", "device_class", "unit_of_measurement", "state_class", "expire_after",
      "force_update", "options", "suggested_display_precision", "last_reset_value_template",
    ]),
    "binary_sensor": entity.union([
      "state_topic", "value_template", "device_class", "expire_after", "force_update", "off_delay", "payload_on",
      "payload_off",
    ]),
    "switch": entity.union([
      "state_topic", "value_template", "device_class", "command_topic", "command_template", "payload_on", "payload_off",
      "state_on", "state_off", "optimistic", "retain",
    ]),
    "button": entity.union(["command_topic", "command_template", "payload_press", "device_class", "retain"]),
  ]

  /// The units of device classes that a strap could have.
  static let units: [String: Set<String>] = [
    "battery": ["%"], "signal_strength": ["dB", "dBm"], "duration": ["d", "h", "min", "s", "ms", "µs"],
    "frequency": ["Hz", "kHz", "MHz", "GHz"], "temperature": ["°C", "°F", "K"], "power_factor": ["%"],
    "voltage": ["mV", "V"],
  ]
  /// Device classes without a unit.
  static let classesWithoutUnit: Set = ["enum", "timestamp", "date"]
  static let stateClasses: Set = ["measurement", "total", "total_increasing"]
  /// Device classes of which `measurement` is the only state class.
  static let measured: Set = ["battery", "signal_strength", "frequency", "temperature", "power_factor", "voltage"]
  static let binarySensorClasses: Set = [
    "battery", "battery_charging", "carbon_monoxide", "cold", "connectivity", "door", "garage_door", "gas", "heat",
    "light",
    "lock", "moisture", "motion", "moving", "occupancy", "opening", "plug", "power", "presence", "problem", "running",
    "safety", "smoke", "sound", "tamper", "update", "vibration", "window",
  ]
}
