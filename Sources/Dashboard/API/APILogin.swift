extension API {
  /// The exchange of a token for a cookie.
  struct Login: Decodable, Sendable {
    var token: String

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case token
    }

    init(from decoder: any Decoder) throws {
      token = try decoder.strictContainer(keyedBy: CodingKeys.self).decode(String.self, forKey: .token)
      guard token.unicodeScalars.count <= 200 else {
        throw DashboardError.badRequest("token is longer than any that there is.")
      }
    }
  }
}
