/// Any key of a JSON object.
private struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) {
    nil
  }
}

extension Decoder {
  /// Returns the container of an object's keys. Throws a `DashboardError` that names an unknown key, instead of ignoring it.
  func strictContainer<Key: CodingKey & CaseIterable>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    let known = Set(Key.allCases.map(\.stringValue))
    for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
      throw DashboardError.badRequest(
        "\(key.stringValue) is not a key of this request; it has \(known.sorted().joined(separator: ", ")).")
    }
    return try container(keyedBy: type)
  }
}
