import TachogramCore

extension API {
  /// The changes to a strap. An absent key leaves its value unchanged; null removes a person or a label.
  package struct StrapChange: Decodable, Hashable, Sendable {
    package var name: String?
    /// `nil` leaves the person unchanged; `.some(nil)` removes it.
    package var person: String??
    package var label: String??

    package init(name: String? = nil, person: String?? = nil, label: String?? = nil) {
      self.name = name
      self.person = person
      self.label = label
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case name, person, label
    }

    package init(from decoder: any Decoder) throws {
      let body = try decoder.strictContainer(keyedBy: CodingKeys.self)
      if body.contains(.name) { name = try Self.checked(try body.decode(String.self, forKey: .name), "name") }
      if body.contains(.person) { person = try body.decodeNil(forKey: .person) ? .some(nil) : text(body, .person) }
      if body.contains(.label) { label = try body.decodeNil(forKey: .label) ? .some(nil) : text(body, .label) }
      func text(_ body: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys) throws -> String {
        try Self.checked(try body.decode(String.self, forKey: key), key.rawValue)
      }
    }

    private static func checked(_ text: String, _ key: String) throws -> String {
      do {
        return try ChosenName(text).text
      } catch {
        throw DashboardError.badRequest("\(key): \(error)")
      }
    }
  }
}
