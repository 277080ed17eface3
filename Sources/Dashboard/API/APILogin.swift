import TachogramCore

extension API {
  /// The exchange of a token, or of a login code, for a cookie.
  enum Login: Decodable, Sendable {
    case token(String)
    /// A code that `tachogram open` shows, and the name of the token that the browser receives for it.
    case code(String, name: ChosenName)

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case token, code, name
    }

    /// The maximum length of a token and of a code, in Unicode scalars.
    private static let longest = 200
    private static let usualName = "Browser"

    init(from decoder: any Decoder) throws {
      let body = try decoder.strictContainer(keyedBy: CodingKeys.self)
      guard body.contains(.token) != body.contains(.code) else {
        throw DashboardError.badRequest("give either token or code.")
      }
      if body.contains(.token) {
        guard !body.contains(.name) else { throw DashboardError.badRequest("name goes with code.") }
        self = .token(try Self.secret(body, .token))
        return
      }
      let name = try body.decodeIfPresent(String.self, forKey: .name) ?? Self.usualName
      self = .code(try Self.secret(body, .code), name: try NewToken.name(name))
    }

    private static func secret(_ body: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys) throws -> String {
      let text = try body.decode(String.self, forKey: key)
      guard text.unicodeScalars.count <= longest else {
        throw DashboardError.badRequest("\(key.rawValue) has more than \(longest) characters.")
      }
      return text
    }
  }
}
