extension API {
  /// The exchange of a token for a cookie.
  struct Login: Decodable, Sendable {
    var token: String

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case token
    }

    init(from decoder: any Decoder) throws {
      token = try decoder.strictContainer(keyedBy: CodingKeys.self).decode(String.self, forKey: .token)
    }
  }
}
