import Access
import TachogramCore

/// Decides which requests are allowed. On a loopback address, requests of all users of the machine are allowed. A browser has
/// to address the station by a name of this machine, so that a page from elsewhere cannot reach it through a name that resolves
/// to this machine (DNS rebinding). A request without a host, which HTTP/1.0 permits, is allowed: browsers always send one. On
/// any other address a token is required. In both cases pages of other origins may request only the page itself, to which any
/// site may link. Programs other than browsers send neither `Origin` nor `Sec-Fetch-Site`.
package struct AccessControl: Sendable {
  /// The properties of a request that determine its access.
  struct Question: Sendable {
    var method: String
    var host: String?
    var origin: String?
    /// `Sec-Fetch-Site`.
    var site: String?
    /// The credentials of the header `Authorization`.
    var authorization: String?
    /// The value of the cookie.
    var cookie: String?
    /// The token in the URL, of a route that accepts one.
    var urlToken: String?
    /// Whether a page of an origin that may embed the route requests it for a frame.
    var isFrame = false
    /// Whether the route is a file of the page.
    var isPage: Bool
    /// Whether the route needs no token.
    var isOpen: Bool
    /// The scope that the route needs.
    var scope = TokenScope.read
  }

  /// A valid token, with the secret that the request presented.
  struct Grant: Hashable, Sendable {
    let token: TokenRecord
    fileprivate let secret: String
  }

  enum Answer: Equatable, Sendable {
    /// `nil` for a request that needs no token.
    case allowed(Grant?)
    /// The request has no token.
    case missingToken
    /// The request has an invalid token.
    case wrongToken
    /// The scope of the token does not include the request.
    case otherScope(TokenScope)
    /// A token in the URL that is not for URLs.
    case tokenNotForURLs
    case forbidden(String)
  }

  /// The name of the cookie that holds the token. With TLS it has the prefix `__Host-`: browsers accept and send it only over
  /// TLS. It differs from the name of a cookie set before TLS was configured.
  var cookie: String { isSecure ? "__Host-tachogram" : Self.plainCookie }

  static let plainCookie = "tachogram"

  /// The tokens of which one is required, or `nil` if access requires no token.
  let tokens: (any TokenBookProtocol)?
  /// Whether the server itself uses TLS. A proxy in front of it may use TLS regardless.
  let isSecure: Bool
  /// The names, in addition to loopback, by which a browser may address this machine.
  let names: Set<String>

  package init(tokens: (any TokenBookProtocol)?, names: [String] = [], isSecure: Bool = false) {
    self.tokens = tokens
    self.isSecure = isSecure
    self.names = Set(names.map { $0.lowercased() })
  }

  /// Throws an error if the tokens cannot be read.
  func answer(_ question: Question) throws -> Answer {
    if let refusal = refusal(question) { return .forbidden(refusal) }
    guard let tokens, !question.isOpen else { return .allowed(nil) }
    guard let given = secret(question) else { return .missingToken }
    guard let token = try tokens.token(given) else { return .wrongToken }
    if question.urlToken != nil, !token.scope.isForURLs { return .tokenNotForURLs }
    return token.scope.includes(question.scope)
      ? .allowed(Grant(token: token, secret: given)) : .otherScope(token.scope)
  }

  /// Whether the token of an earlier request is still valid.
  func isValid(_ grant: Grant?) -> Bool {
    guard let tokens, let grant else { return true }
    // While the disk fails, nobody is logged out.
    return (try? tokens.isValid(grant.token, grant.secret)) ?? true
  }

  /// Returns the secret that a request presents.
  private func secret(_ question: Question) -> String? {
    question.urlToken ?? question.authorization.flatMap(Self.bearer) ?? question.cookie
  }

  /// Returns the token of bearer credentials. The scheme is case-insensitive and followed by blanks (RFC 9110, 11.1 and 11.4).
  private static func bearer(_ credentials: String) -> String? {
    let scheme = credentials.prefix { $0 != " " && $0 != "\t" }
    guard scheme.lowercased() == "bearer" else { return nil }
    let token = credentials[scheme.endIndex...].drop { $0 == " " || $0 == "\t" }
    return scheme.endIndex < credentials.endIndex ? String(token) : nil
  }

  private func refusal(_ question: Question) -> String? {
    if tokens == nil, let host = question.host, !isOwn(host) {
      return "\(host) is not a name of this station; add it to http.names in the configuration, or use 127.0.0.1."
    }
    if question.isPage, ["GET", "HEAD"].contains(question.method) { return nil }
    // Whoever wrote the URL knows its token. It is not checked where no token is required.
    if tokens != nil, question.urlToken != nil { return nil }
    // The page could not read the answer, but could cause work on the station and measure its duration.
    if let origin = question.origin, !isOwn(origin: origin, host: question.host) {
      return "a page of \(origin) may not ask or change anything here."
    }
    // Browsers show a frame only to the origins that the policy of the answer names.
    if question.isFrame { return nil }
    if let site = question.site, site != "same-origin", site != "none" {
      return "a page of another origin may not ask or change anything here."
    }
    return nil
  }

  /// Whether a page has the host of the request as its origin. Browsers always send a host.
  private func isOwn(origin: String, host: String?) -> Bool {
    guard let host else { return false }
    return origin == "https://\(host)" || (!isSecure && origin == "http://\(host)")
  }

  /// Whether a host, with or without a port, is this machine.
  private func isOwn(_ host: String) -> Bool {
    let name = Self.name(host.lowercased())
    return name == "[::1]" || names.contains(name) || Loopback.isHost(name)
  }

  private static func name(_ host: String) -> String {
    if host.hasPrefix("[") { return host.firstIndex(of: "]").map { String(host[...$0]) } ?? host }
    return String(host.prefix { $0 != ":" })
  }
}
