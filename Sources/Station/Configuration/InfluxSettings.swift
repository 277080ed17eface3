/// Where the Influx line protocol is sent or written to.
package struct InfluxSettings: Hashable, Sendable {
  /// The URL of a server, or `nil` for none.
  package let url: String?
  package let tokenFile: String?
  /// The path of a file, or `nil` for none.
  package let file: String?

  init(_ values: ConfigurationValues) {
    url = values[SettingKeys.influxUrl]
    tokenFile = values[SettingKeys.influxTokenFile]
    file = values[SettingKeys.influxFile]
  }
}
