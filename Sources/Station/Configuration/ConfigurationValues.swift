/// The typed values of all keys.
struct ConfigurationValues {
  private let values: [Setting: ConfigurationLoader.Value]
  /// Descriptions of values that are interpreted differently than written, one sentence each.
  let remarks: [String]

  /// Creates the values. `values` contains every key, with validated values.
  init(_ values: [ConfigurationLoader.Value]) {
    self.values = Dictionary(uniqueKeysWithValues: values.map { ($0.setting, $0) })
    remarks = values.compactMap(\.remark)
  }

  subscript<Value>(key: SettingKey<Value>) -> Value {
    guard let value = values[key.setting] else { preconditionFailure("Setting.all lacks \(key.setting.path)") }
    return value.text.flatMap(key.parse) ?? key.defaultValue
  }

  /// Returns the location of a value and its path.
  func place<Value>(_ key: SettingKey<Value>) -> String {
    values[key.setting].map(ConfigurationLoader.place) ?? key.setting.path
  }

  func tls() throws(ConfigurationLoader.Problems) -> StationConfiguration.HTTP.TLS? {
    switch (self[SettingKeys.httpCertificate], self[SettingKeys.httpKey]) {
    case (nil, nil): return nil
    case (let certificate?, let key?): return .init(certificate: certificate, key: key)
    case (_?, nil): throw .init(lines: ["http.key is not set; it goes with http.certificate."])
    case (nil, _?): throw .init(lines: ["http.certificate is not set; it goes with http.key."])
    }
  }
}
