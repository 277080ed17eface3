import TachogramCore

/// Decides who may ask. Bound to loopback, everybody on the machine may; a browser is held to names of this machine, so that
/// a page from elsewhere cannot reach the station through a name that it points here (DNS rebinding). A request without a
/// host, as HTTP/1.0 allows, is let in: no browser leaves it out. On another address a token is required. Either way pages
/// of other origins may ask for nothing but the page itself, which any site may link to. Programs that are no browsers send
/// neither `Origin` nor `Sec-Fetch-Site`.
package struct AccessControl: Sendable {
  /// What of a request decides.
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
    /// Whether the route is a file of the page.
    var isPage: Bool
    /// Whether the route needs no token.
    var isOpen: Bool
  }

  enum Answer: Equatable, Sendable {
    case allowed
    /// Without a token.
    case missingToken
    /// With a token that is none.
    case wrongToken
    case forbidden(String)
  }

  /// The name of the cookie that holds the token. With TLS it is one that browsers take and send with TLS alone; one from
  /// before TLS is not it.
  var cookie: String { isSecure ? "__Host-tachogram" : Self.plainCookie }

  static let plainCookie = "tachogram"

  /// `nil` where none is required.
  let token: String?
  /// Whether the page itself has TLS; a proxy before it may have it as well.
  let isSecure: Bool
  /// Names that a browser may use for this machine beside loopback.
  let names: Set<String>

  package init(token: String?, names: [String] = [], isSecure: Bool = false) {
    self.token = token
    self.isSecure = isSecure
    self.names = Set(names.map { $0.lowercased() })
  }

  func answer(_ question: Question) -> Answer {
    if let refusal = refusal(question) { return .forbidden(refusal) }
    guard let token, !question.isOpen else { return .allowed }
    guard let given = question.authorization.flatMap(Self.bearer) ?? question.cookie else { return .missingToken }
    return Self.same(given, token) ? .allowed : .wrongToken
  }

  /// The token of credentials; their scheme may be in any case, and blanks follow it (RFC 9110, 11.1 and 11.4).
  private static func bearer(_ credentials: String) -> String? {
    let scheme = credentials.prefix { $0 != " " && $0 != "\t" }
    guard scheme.lowercased() == "bearer" else { return nil }
    let token = credentials[scheme.endIndex...].drop { $0 == " " || $0 == "\t" }
    return scheme.endIndex < credentials.endIndex ? String(token) : nil
  }

  /// Whether a token is the right one, in a time that does not depend on how much of it matches.
  func accepts(_ given: String) -> Bool {
    token.map { Self.same(given, $0) } ?? true
  }

  private func refusal(_ question: Question) -> String? {
    if token == nil, let host = question.host, !isOwn(host) {
      return "\(host) is no name of this station; add it to http.names in the configuration, or use 127.0.0.1."
    }
    if question.isPage, ["GET", "HEAD"].contains(question.method) { return nil }
    // It could not read an answer, but make the station work, and see how long it takes.
    if let origin = question.origin, !isOwn(origin: origin, host: question.host) {
      return "a page of \(origin) may not ask or change anything here."
    }
    if let site = question.site, site != "same-origin", site != "none" {
      return "a page of another origin may not ask or change anything here."
    }
    return nil
  }

  /// Whether a page is of the host that is asked. Browsers name it always.
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

  private static func same(_ one: String, _ other: String) -> Bool {
    let (left, right) = (Array(one.utf8), Array(other.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
