extension API {
  /// A key of the configuration that the page shows.
  package struct Setting: Encodable, Hashable, Sendable {
    /// The path of the key, such as `session.endAfter`.
    package let key: String
    package let help: String
    /// The value as it is written in the configuration; absent if it has none.
    package let value: String?
    package let defaultValue: String?
    /// `text`, `choice`, `integer` or `span`.
    package let kind: String
    package let choices: [String]?
    package let minimum: Int?
    package let maximum: Int?
    /// Whether it was changed on the page.
    package let isChanged: Bool
    /// Where it is set, if it cannot be changed on the page.
    package let place: String?

    package init(
      key: String, help: String, value: String?, defaultValue: String?, kind: String, choices: [String]? = nil,
      minimum: Int? = nil, maximum: Int? = nil, isChanged: Bool = false, place: String? = nil,
    ) {
      self.key = key
      self.help = help
      self.value = value
      self.defaultValue = defaultValue
      self.kind = kind
      self.choices = choices
      self.minimum = minimum
      self.maximum = maximum
      self.isChanged = isChanged
      self.place = place
    }
  }

  struct Settings: Encodable, Sendable {
    let settings: [Setting]
  }

  /// Changes of settings, by key; null restores the value that applies otherwise.
  struct SettingChanges: Decodable, Sendable {
    let values: [String: String?]

    init(from decoder: any Decoder) throws {
      values = try decoder.singleValueContainer().decode([String: String?].self)
      for text in values.values.compactMap(\.self) where text.unicodeScalars.count > 200 {
        throw DashboardError.badRequest("a value has \(text.unicodeScalars.count) characters; it has 200 at most.")
      }
    }
  }
}
