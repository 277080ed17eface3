import TachogramCore

extension API {
  /// The selection of a deletion: the data of a category that matches all given keys.
  package struct Deletion: Decodable, Hashable, Sendable {
    package var session: String?
    package var person: String?
    package var strap: String?
    package var from: String?
    package var to: String?
    package var everything: Bool?
    package var category: DataCategory

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case session, person, strap, from, to, everything, category
    }

    package init(from decoder: any Decoder) throws {
      let body = try decoder.strictContainer(keyedBy: CodingKeys.self)
      session = try body.decodeIfPresent(String.self, forKey: .session)
      person = try body.decodeIfPresent(String.self, forKey: .person)
      strap = try body.decodeIfPresent(String.self, forKey: .strap)
      from = try body.decodeIfPresent(String.self, forKey: .from)
      to = try body.decodeIfPresent(String.self, forKey: .to)
      everything = try body.decodeIfPresent(Bool.self, forKey: .everything)
      let category = try body.decodeIfPresent(String.self, forKey: .category) ?? DataCategory.sessions.rawValue
      guard let known = DataCategory(rawValue: category) else {
        let names = DataCategory.allCases.map(\.rawValue).joined(separator: ", ")
        throw DashboardError.badRequest("category is one of \(names).")
      }
      self.category = known
    }
  }
}
