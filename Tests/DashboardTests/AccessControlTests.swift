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

  private static func isForbidden(_ answer: AccessControl.Answer) -> Bool {
    if case .forbidden = answer { true } else { false }
  }

  @Test(arguments: [
    "127.0.0.1:8620", "127.0.0.1", "localhost:1", "LOCALHOST", "[::1]:8620", "127.9.9.9", "pi.local:80", "Pi.Local",
  ])
  func testOwnName_IsLetIn(host: String) {
    #expect(AccessControl(token: nil, names: ["pi.local"]).answer(Self.question(host: host)) == .allowed)
  }

  /// A page from elsewhere whose name points here.
  @Test(arguments: [
    "evil.example", "evil.example:8620", "127.evil.example", "localhost.evil.example", "192.168.1.5", "", "[::2]",
    "[::1",
  ])
  func testOtherName_IsRefusedOnLoopback(host: String) {
    #expect(Self.isForbidden(AccessControl(token: nil).answer(Self.question(host: host))))
  }

  /// HTTP/1.0 allows it, and no browser does it.
  @Test func testNoHost_IsLetInWhereNoBrowserAsks() {
    let access = AccessControl(token: nil)
    #expect(access.answer(Self.question(host: nil)) == .allowed)
    #expect(access.answer(Self.question("POST", host: nil)) == .allowed)
    for origin in ["http://evil.example", "http://127.0.0.1:8620", "null"] {
      #expect(Self.isForbidden(access.answer(Self.question("POST", host: nil, origin: origin))))
    }
  }

  @Test func testToken_IsNeededWhereThereIsOne() {
    let access = AccessControl(token: "secret-token")
    func answer(_ authorization: String?, _ cookie: String? = nil) -> AccessControl.Answer {
      access.answer(Self.question(host: "pi.local", authorization: authorization, cookie: cookie))
    }
    #expect(answer(nil) == .missingToken)
    #expect(answer("Bearer secret-token") == .allowed)
    #expect(answer(nil, "secret-token") == .allowed)
    for wrong in ["Bearer secret-tokeN", "Bearer ", "Bearer secret-token2", "Bearer secret-toke"] {
      #expect(answer(wrong) == .wrongToken)
    }
    for right in ["bearer secret-token", "BEARER secret-token", "bEaReR   secret-token", "Bearer \tsecret-token"] {
      #expect(answer(right) == .allowed)
    }
    for other in ["Basic secret-token", "Bearersecret-token", "secret-token", "Bearer", ""] {
      #expect(answer(other) == .missingToken)
      #expect(answer(other, "secret-token") == .allowed)
    }
    #expect(answer(nil, "other") == .wrongToken)
    #expect(access.answer(Self.question(host: "pi.local", isOpen: true)) == .allowed)
  }

  @Test(arguments: ["GET", "HEAD", "OPTIONS", "POST", "PATCH", "DELETE", "PUT"], [false, true])
  func testPageOfAnotherOrigin_MayAskForThePageItselfAlone(method: String, isOpen: Bool) {
    let access = AccessControl(token: nil)
    func answer(origin: String? = nil, site: String? = nil) -> AccessControl.Answer {
      access.answer(Self.question(method, origin: origin, site: site, isOpen: isOpen))
    }
    // As programs ask that are no browsers.
    #expect(answer() == .allowed)
    #expect(answer(origin: "http://127.0.0.1:8620") == .allowed)
    #expect(answer(origin: "http://127.0.0.1:8620", site: "same-origin") == .allowed)
    #expect(answer(site: "none") == .allowed)
    for origin in ["http://evil.example", "null", "http://127.0.0.1:9999", "http://127.0.0.1"] {
      #expect(Self.isForbidden(answer(origin: origin)))
    }
    for site in ["cross-site", "same-site"] { #expect(Self.isForbidden(answer(site: site))) }
    // A link to the page, or a font of it in another one.
    let page = access.answer(
      Self.question(method, origin: "http://evil.example", site: "cross-site", isPage: true, isOpen: true))
    #expect((page == .allowed) == ["GET", "HEAD"].contains(method))
  }

  /// Whoever pretends to be the station without TLS.
  @Test func testPageWithoutTLS_IsOfAnotherOriginWhereThereIsTLS() {
    for (isSecure, origin, isLetIn) in [
      (true, "https://127.0.0.1:8620", true), (true, "http://127.0.0.1:8620", false),
      (false, "https://127.0.0.1:8620", true), (false, "http://127.0.0.1:8620", true),
    ] {
      let answer = AccessControl(token: nil, isSecure: isSecure).answer(Self.question("POST", origin: origin))
      #expect((answer == .allowed) == isLetIn, "\(isSecure) \(origin)")
    }
  }
}
