/// The broker that live values are sent to. Validated as far as it can be without reading files.
package struct MQTTSettings: Hashable, Sendable {
  /// The host of the broker, or `nil` for none.
  package let host: String?
  package let port: Int
  package let usesTLS: Bool
  /// A PEM file with certificates, or `nil` for those of the machine.
  package let authorities: String?
  package let user: String?
  package let passwordFile: String?
  /// The name of the station, or `nil` for that of the host.
  package let station: String?
  package let interval: TimeSpan
  package let sendsBeats: Bool
  /// Whether whoever may write to the broker starts and stops recording.
  package let acceptsCommands: Bool
  /// The discovery prefix of Home Assistant, or `nil` for none.
  package let homeAssistant: String?

  init(_ values: ConfigurationValues) {
    host = values[SettingKeys.mqttHost]
    authorities = values[SettingKeys.mqttAuthorities]
    usesTLS = values[SettingKeys.mqttTls] || authorities != nil
    port = values[SettingKeys.mqttPort] ?? (usesTLS ? 8883 : 1883)
    user = values[SettingKeys.mqttUser]
    passwordFile = values[SettingKeys.mqttPasswordFile]
    station = values[SettingKeys.mqttStation]
    interval = values[SettingKeys.mqttInterval]
    sendsBeats = values[SettingKeys.mqttBeats]
    acceptsCommands = values[SettingKeys.mqttCommands]
    let prefix = values[SettingKeys.mqttHomeAssistant]
    homeAssistant = prefix == "off" ? nil : prefix
  }
}
