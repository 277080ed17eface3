import Access
import DashboardTestKit
import Foundation
import HTTPTypes
import Synchronization
import TachogramCore
import TachogramTestKit
import Testing

@testable import Dashboard

/// Tokens that open one part of a station, and are accepted in URLs.
@Suite("Scoped tokens", .timeLimit(.minutes(5)))
struct ScopedTokenTests {
  private static let secret = "right-token-which-is-searched-for"
  private static let bearer = ["Authorization": "Bearer \(secret)"]

  private static func client(
    _ scope: TokenScope, _ backend: FakeBackend = FakeBackend(), frameOrigins: [String] = []
  ) -> TestClient {
    let client = TestClient(backend, tokens: FixedTokens(secret, scope: scope), frameOrigins: frameOrigins)
    // Streams end after their first event.
    client.feed.finish()
    return client
  }

  /// A path of a route, with the parts that a request has.
  private static func path(_ route: String) -> String {
    String(route.split(separator: " ")[1]).replacing("/glance/{file}", with: "/glance/small.json")
      .replacing(#/\{\w+\}/#, with: FakeBackend.session)
  }

  private static let open = ["/healthz", "/api/v1/login", "/api/v1/openapi.yaml"]

  /// The routes that need a token, with their methods and a path of each.
  private static func routes() throws -> [(method: HTTPRequest.Method, path: String)] {
    try TestClient.routes.map { (try #require(HTTPRequest.Method(String($0.prefix { $0 != " " }))), path($0)) }
      .filter { !open.contains($0.1) }
  }

  @Test(arguments: [TokenScope.glance, .overlay, .metrics])
  func testToken_OpensItsRoutesAlone(scope: TokenScope) async throws {
    let client = Self.client(scope)
    for (method, path) in try Self.routes() {
      client.backend.asked.withLock { $0 = [] }
      let answer = try await client.ask(method, path, headers: Self.bearer)
      let isOwn = path == "/\(scope.rawValue)" || path.hasPrefix("/\(scope.rawValue)/")
      #expect(answer.status == (isOwn ? 200 : 403), "\(method) \(path)")
      if !isOwn { #expect(client.backend.asked.withLock { $0 }.isEmpty) }
    }
  }

  @Test(arguments: TokenScope.allCases)
  func testTokenInAURL_IsAcceptedForGlancesAndTheOverlayAlone(scope: TokenScope) async throws {
    let client = Self.client(scope)
    for (method, path) in try Self.routes() {
      let status = try await client.ask(method, "\(path)?token=\(Self.secret)").status
      let isForURLs = path.hasPrefix("/glance/") || path.hasPrefix("/overlay")
      let isOwn = scope.isForURLs && path.hasPrefix("/\(scope.rawValue)")
      #expect(status == (isOwn ? 200 : isForURLs ? 403 : 401), "\(method) \(path)")
    }
  }

  @Test(arguments: [TokenScope.full, .read])
  func testTokenOfABrowser_OpensEverythingToReadButNotInAURL(scope: TokenScope) async throws {
    let client = Self.client(scope)
    for path in ["/glance/small.svg", "/overlay", "/overlay/events", "/metrics"] {
      #expect(try await client.get(path, headers: Self.bearer).status == 200, "\(path)")
      #expect(try await client.get(path, headers: ["Cookie": "tachogram=\(Self.secret)"]).status == 200, "\(path)")
    }
    let answer = try await client.get("/glance/small.svg?token=\(Self.secret)", headers: Self.bearer)
    #expect(answer.status == 403 && answer.body.contains("create one with the scope glance"))
  }

  @Test(arguments: [TokenScope.glance, .overlay, .metrics])
  func testToken_LogsNobodyIn(scope: TokenScope) async throws {
    let answer = try await Self.client(scope).ask(.post, "/api/v1/login", "{\"token\":\"\(Self.secret)\"}")
    #expect(answer.status == 403 && answer.header("Set-Cookie") == nil)
  }

  @Test func testWrongTokensInURLs_HaveToWait() async throws {
    let client = Self.client(.glance)
    for _ in 0..<10 { #expect(try await client.get("/glance/small.svg?token=guess").status == 401) }
    #expect(try await client.get("/glance/small.svg?token=guess").status == 429)
    #expect(try await client.get("/glance/small.svg?token=\(Self.secret)").status == 200)
    #expect(try await client.get("/glance/small.svg", headers: Self.bearer).status == 200)
    client.clock.advance(seconds: 61)
    #expect(try await client.get("/glance/small.svg?token=guess").status == 401)
  }

  /// A page that shows wrong addresses does not keep its visitor from the station.
  @Test func testWrongTokensOfAnotherPage_BlockThatPageAlone() async throws {
    let client = Self.client(.glance)
    let site = ["Sec-Fetch-Site": "cross-site"]
    for _ in 0..<10 { #expect(try await client.get("/glance/small.svg?token=guess", headers: site).status == 401) }
    #expect(try await client.get("/glance/small.svg?token=guess", headers: site).status == 429)
    #expect(try await client.get("/glance/small.svg?token=guess").status == 401)
  }

  @Test(arguments: ["token=a&token=b", "token=\(String(repeating: "a", count: 201))"])
  func testTokenThatIsUnclear_IsRefused(query: String) async throws {
    #expect(try await Self.client(.glance).get("/glance/small.svg?\(query)").status == 400)
    #expect(try await Self.client(.glance).get("/glance/small.svg?token=").status == 401)
    #expect(try await Self.client(.glance).get("/glance/small.svg?%74oken=\(Self.secret)").status == 401)
  }

  // MARK: - What is told of a token

  /// Neither an answer nor a log repeats a token of a URL, wherever it comes and whatever fails.
  @Test(arguments: [false, true])
  func testTokenInAURL_IsInNoAnswerAndNoLog(fails: Bool) async throws {
    let paths = TestClient.routes.map(Self.path) + ["/glance/none.svg", "/glance/small.pdf", "/nothing", "/"]
    var incidents: [DashboardIncident] = []
    for scope in TokenScope.allCases {
      let client = Self.client(scope, FakeBackend(fails: fails))
      for path in paths {
        for query in ["token=\(Self.secret)", "look=x&token=\(Self.secret)&size=x", "token=\(Self.secret)&token=b"] {
          for headers in [[:], Self.bearer] {
            let answer = try await client.get("\(path)?\(query)", headers: headers)
            #expect(!answer.body.contains(Self.secret), "\(path)")
            #expect(!"\(answer.headers)".contains(Self.secret), "\(path)")
          }
        }
      }
      incidents += client.incidents.list
    }
    #expect(fails == incidents.contains { if case .failed = $0 { true } else { false } })
    #expect(!incidents.contains { "\($0)".contains(Self.secret) })
  }

  @Test(arguments: [
    ("/a", "/a"), ("/a?token=x", "/a"), ("/a?b=1&token=x&c=2", "/a?b=1&c=2"), ("/a?token", "/a"), ("/a?", "/a?"),
    ("/a?tokens=x", "/a?tokens=x"), ("/a?b=token=x", "/a?b=token=x"), ("/a?token=x&token=y", "/a"),
  ])
  func testTarget_LosesItsToken(target: String, expected: String) {
    #expect(URLToken.removed(from: target) == expected)
  }

  // MARK: - Other pages

  @Test func testPictureOfAnotherPage_NeedsATokenInItsURL() async throws {
    let site = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image"]
    let client = Self.client(.glance)
    let picture = try await client.get("/glance/small.svg?token=\(Self.secret)", headers: site)
    #expect(picture.status == 200 && picture.header("Cross-Origin-Resource-Policy") == "cross-origin")
    #expect(try await client.get("/glance/small.svg", headers: site.merging(Self.bearer) { $1 }).status == 403)
    let own = try await client.get("/glance/small.svg", headers: Self.bearer)
    #expect(own.header("Cross-Origin-Resource-Policy") == "same-origin")
    // Where no token is required, a made-up one allows nothing.
    let loopback = TestClient()
    #expect(try await loopback.get("/glance/small.svg?token=x", headers: site).status == 403)
    #expect(try await loopback.get("/glance/small.svg?token=x").header("Cross-Origin-Resource-Policy") == "same-origin")
  }

  @Test(arguments: ["/glance/small.svg", "/overlay"])
  func testFrame_IsForTheConfiguredOriginsAlone(path: String) async throws {
    let frame = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe"]
    let none = TestClient(tokens: nil)
    let refused = try await none.get(path, headers: frame)
    #expect(refused.status == 403 && refused.header("X-Frame-Options") == "DENY")
    #expect(refused.header("Content-Security-Policy")?.contains("frame-ancestors 'none'") == true)
    let origins = ["https://ha.example:8123", "http://wall.local"]
    let client = TestClient(tokens: nil, frameOrigins: origins)
    let answer = try await client.get(path, headers: frame)
    #expect(answer.status == 200 && answer.header("X-Frame-Options") == nil)
    let policy = try #require(answer.header("Content-Security-Policy"))
    #expect(policy.hasSuffix("frame-ancestors https://ha.example:8123 http://wall.local"))
    #expect(answer.header("Referrer-Policy") == "no-referrer")
    // A picture of another page, and frames of everything else.
    #expect(try await client.get(path, headers: ["Sec-Fetch-Site": "cross-site"]).status == 403)
    for other in ["/", "/overlay.html", "/api/v1/openapi.yaml", "/healthz"] {
      let page = try await client.get(other)
      #expect(page.header("X-Frame-Options") == "DENY", "\(other)")
      #expect(page.header("Content-Security-Policy")?.contains("frame-ancestors 'none'") == true, "\(other)")
    }
    #expect(try await client.get("/api/v1/live", headers: frame).status == 403)
  }

  // MARK: - Metrics

  @Test(arguments: [(TokenScope.full, true), (.metrics, true), (.read, false)])
  func testHeartValues_AreForFullTokensAndThoseForMetrics(scope: TokenScope, isTold: Bool) async throws {
    let answer = try await Self.client(scope).get("/metrics", headers: Self.bearer)
    #expect(answer.status == 200 && answer.body.contains("\nheart 61\n") == isTold)
  }
}
