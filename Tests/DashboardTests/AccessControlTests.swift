import Access
import DashboardTestKit
import TachogramCore
import Testing

@testable import Dashboard

@Suite("Access")
struct AccessControlTests {
  private static func question(
    _ method: String = "GET", host: String? = "127.0.0.1:8620", origin: String? = nil, site: String? = nil,
    authorization: String? = nil, cookie: String? = nil, isPage: Bool = false, isOpen: Bool = false
  ) -> AccessControl.Question {
    AccessControl.Question(
      method: method, host: host, origin: origin, site: site, authorization: authorization, cookie: cookie,
      isPage: isPage, isOpen: isOpen)
  }

  private static func isAllowed(_ answer: AccessControl.Answer) -> Bool {
    if case .allowed = answer { true } else { false }
  }

  private static func isForbidden(_ answer: AccessControl.Answer) -> Bool {
    if case .forbidden = answer { true } else { false }
  }

  @Test(arguments: [
    "127.0.0.1:8620", "127.0.0.1", "localhost:1", "LOCALHOST", "[::1]:8620", "127.9.9.9", "pi.local:80", "Pi.Local",
  ])
  func testOwnName_IsLetIn(host: String) throws {
    #expect(try Self.isAllowed(AccessControl(token: nil, names: ["pi.local"]).answer(Self.question(host: host))))
  }

  /// A page from elsewhere whose name points here.
  @Test(arguments: [
    "evil.example", "evil.example:8620", "127.evil.example", "localhost.evil.example", "192.168.1.5", "", "[::2]",
    "[::1",
  ])
  func testOtherName_IsRefusedOnLoopback(host: String) throws {
    #expect(try Self.isForbidden(AccessControl(token: nil).answer(Self.question(host: host))))
  }

  /// HTTP/1.0 allows it, and no browser does it.
  @Test func testNoHost_IsLetInWhereNoBrowserAsks() throws {
    let access = AccessControl(token: nil)
    #expect(try Self.isAllowed(access.answer(Self.question(host: nil))))
    #expect(try Self.isAllowed(access.answer(Self.question("POST", host: nil))))
    for origin in ["http://evil.example", "http://127.0.0.1:8620", "null"] {
      #expect(try Self.isForbidden(access.answer(Self.question("POST", host: nil, origin: origin))))
    }
  }

  @Test func testToken_IsNeededWhereThereIsOne() throws {
    let access = AccessControl(token: "secret-token")
    func answer(_ authorization: String?, _ cookie: String? = nil) throws -> AccessControl.Answer {
      try access.answer(Self.question(host: "pi.local", authorization: authorization, cookie: cookie))
    }
    #expect(try answer(nil) == .missingToken)
    #expect(try Self.isAllowed(answer("Bearer secret-token")))
    #expect(try Self.isAllowed(answer(nil, "secret-token")))
    for wrong in ["Bearer secret-tokeN", "Bearer ", "Bearer secret-token2", "Bearer secret-toke"] {
      #expect(try answer(wrong) == .wrongToken)
    }
    for right in ["bearer secret-token", "BEARER secret-token", "bEaReR   secret-token", "Bearer \tsecret-token"] {
      #expect(try Self.isAllowed(answer(right)))
    }
    for other in ["Basic secret-token", "Bearersecret-token", "secret-token", "Bearer", ""] {
      #expect(try answer(other) == .missingToken)
      #expect(try Self.isAllowed(answer(other, "secret-token")))
    }
    #expect(try answer(nil, "other") == .wrongToken)
    #expect(try Self.isAllowed(access.answer(Self.question(host: "pi.local", isOpen: true))))
  }

  @Test(arguments: ["GET", "HEAD", "OPTIONS", "POST", "PATCH", "DELETE", "PUT"], [false, true])
  func testPageOfAnotherOrigin_MayAskForThePageItselfAlone(method: String, isOpen: Bool) throws {
    let access = AccessControl(token: nil)
    func answer(origin: String? = nil, site: String? = nil) throws -> AccessControl.Answer {
      try access.answer(Self.question(method, origin: origin, site: site, isOpen: isOpen))
    }
    // As programs ask that are no browsers.
    #expect(try Self.isAllowed(answer()))
    #expect(try Self.isAllowed(answer(origin: "http://127.0.0.1:8620")))
    #expect(try Self.isAllowed(answer(origin: "http://127.0.0.1:8620", site: "same-origin")))
    #expect(try Self.isAllowed(answer(site: "none")))
    for origin in ["http://evil.example", "null", "http://127.0.0.1:9999", "http://127.0.0.1"] {
      #expect(try Self.isForbidden(answer(origin: origin)))
    }
    for site in ["cross-site", "same-site"] { #expect(try Self.isForbidden(answer(site: site))) }
    // A link to the page, or a font of it in another one.
    let page = try access.answer(
      Self.question(method, origin: "http://evil.example", site: "cross-site", isPage: true, isOpen: true))
    #expect(Self.isAllowed(page) == ["GET", "HEAD"].contains(method))
  }

  /// Whoever pretends to be the station without TLS.
  @Test func testPageWithoutTLS_IsOfAnotherOriginWhereThereIsTLS() throws {
    for (isSecure, origin, isLetIn) in [
      (true, "https://127.0.0.1:8620", true), (true, "http://127.0.0.1:8620", false),
      (false, "https://127.0.0.1:8620", true), (false, "http://127.0.0.1:8620", true),
    ] {
      let answer = try AccessControl(token: nil, isSecure: isSecure).answer(Self.question("POST", origin: origin))
      #expect(Self.isAllowed(answer) == isLetIn, "\(isSecure) \(origin)")
    }
  }

  @Test(arguments: TokenScope.allCases, TokenScope.allCases)
  func testScopeOfTheToken_MustIncludeTheRequest(held: TokenScope, needed: TokenScope) throws {
    let access = AccessControl(tokens: FixedTokens("secret-token", scope: held))
    var question = Self.question(host: "pi.local", cookie: "secret-token")
    question.scope = needed
    let answer = try access.answer(question)
    let isIncluded = held == .full || held == needed || held == .read && needed != .full
    #expect(Self.isAllowed(answer) == isIncluded)
    #expect((answer == .otherScope(held)) == !isIncluded)
  }

  @Test func testRevokedToken_IsNotValid() throws {
    let tokens = FixedTokens("secret-token")
    let phone = try tokens.add(ChosenName("Phone"), .read)
    let access = AccessControl(tokens: tokens)
    guard case .allowed(let grant) = try access.answer(Self.question(host: "pi.local", cookie: phone.secret)) else {
      Issue.record("the token is refused")
      return
    }
    #expect(access.isValid(grant))
    #expect(tokens.revoke(phone.record.id))
    #expect(!access.isValid(grant))
    #expect(try access.answer(Self.question(host: "pi.local", cookie: phone.secret)) == .wrongToken)
    #expect(access.isValid(nil))
  }
}
