import Access
import TachogramCore

extension API {
  /// The access of the browser that asks.
  struct Access: Encodable, Sendable {
    /// `full` or `read`: other tokens open no other route.
    let scope: String
    /// The name of its token; absent if none is required.
    let name: String?
    /// Whether a token is required.
    let isTokenRequired: Bool
    /// Whether the connection uses TLS or does not leave this machine, which pairing and new tokens require.
    let isProtected: Bool
    /// The SHA-256 fingerprint of the authority of the station's certificate.
    let authority: String?

    init(_ token: TokenRecord?, isProtected: Bool, isTokenRequired: Bool, authority: String?) {
      self.authority = authority
      scope = (token?.scope ?? .full).rawValue
      name = token?.name
      self.isTokenRequired = isTokenRequired
      self.isProtected = isProtected
    }
  }

  /// A token without its secret.
  struct Token: Encodable, Sendable {
    let id: String
    let name: String
    let scope: String
    let created: String?
    /// To the hour.
    let lastUse: String?
    /// Whether the request was made with it.
    let isOwn: Bool

    init(_ token: TokenRecord, isOwn: Bool) {
      id = token.id
      name = token.name
      scope = token.scope.rawValue
      created = token.created.map(Timestamp.text)
      lastUse = token.lastUse.map(Timestamp.text)
      self.isOwn = isOwn
    }
  }

  struct Tokens: Encodable, Sendable {
    let tokens: [Token]
  }

  /// A new token with its secret, which the station does not store.
  struct IssuedToken: Encodable, Sendable {
    let token: String
    let id: String
    let name: String
    let scope: String

    init(secret: String, _ record: TokenRecord) {
      token = secret
      id = record.id
      name = record.name
      scope = record.scope.rawValue
    }
  }

  /// The request for a token.
  struct NewToken: Decodable, Sendable {
    let name: ChosenName
    let scope: TokenScope

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case name, scope
    }

    init(from decoder: any Decoder) throws {
      let body = try decoder.strictContainer(keyedBy: CodingKeys.self)
      name = try Self.name(try body.decode(String.self, forKey: .name))
      let text = try body.decode(String.self, forKey: .scope)
      guard let scope = TokenScope(rawValue: text) else {
        throw DashboardError.badRequest(
          "scope is one of \(TokenScope.allCases.map(\.rawValue).joined(separator: ", ")).")
      }
      self.scope = scope
    }

    static func name(_ text: String) throws -> ChosenName {
      do {
        return try ChosenName(text)
      } catch {
        throw DashboardError.badRequest("name: \(error)")
      }
    }
  }
}
