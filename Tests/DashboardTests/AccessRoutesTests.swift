import Access
import DashboardTestKit
import Foundation
import HTTPTypes
import Synchronization
import TachogramCore
import TachogramTestKit
import Testing

@testable import Dashboard

@Suite("Login and tokens", .timeLimit(.minutes(5)))
struct AccessRoutesTests {
  private static let bearer = ["Authorization": "Bearer right-token"]

  private static func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// The requests of a token for reading, of all that there are.
  private static func isForReaders(_ route: String) -> Bool {
    if route == "POST /api/v1/logout" { return true }
    return route.hasPrefix("GET ")
      && ![
        "/export", "/tokens", "/pairing", "/doctor", "/diagnosis", "/snapshots", "/snapshots/{id}", "/replaced/{id}",
        "/sync",
      ].contains { route.hasSuffix($0) }
  }

  @Test(arguments: TestClient.routes.filter { !$0.hasSuffix("/login") && !$0.hasSuffix("/events") })
  func testTokenForReading_CannotChangeDeleteOrExport(route: String) async throws {
    let words = route.split(separator: " ").map(String.init)
    let method = try #require(HTTPRequest.Method(words[0]))
    let path = words[1].replacing(#/\{\w+\}/#, with: FakeBackend.session)
    let reader = TestClient(tokens: FixedTokens("right-token", scope: .read))
    let answer = try await reader.ask(method, path, headers: Self.bearer)
    let isOpen = route == "GET /healthz"
    #expect((answer.status == 403) == !(isOpen || Self.isForReaders(route)), "\(route): \(answer.status)")
    if answer.status == 403 { #expect(reader.backend.asked.withLock { $0 }.isEmpty) }
    let full = TestClient(tokens: FixedTokens("right-token", scope: .full), isSecure: true)
    #expect(try await full.ask(method, path, headers: Self.bearer).status != 403)
  }

  @Test func testAuthority_IsDownloadedWithAToken() async throws {
    let client = TestClient(tokens: FixedTokens("right-token", scope: .read))
    #expect(try await client.get("/api/v1/authority").status == 401)
    let answer = try await client.get("/api/v1/authority", headers: Self.bearer)
    #expect(answer.status == 200 && answer.body.hasPrefix("-----BEGIN CERTIFICATE-----"))
    #expect(answer.header("Content-Type") == "application/x-x509-ca-cert")
    let access = try Self.object(try await client.get("/api/v1/access", headers: Self.bearer).body)
    #expect(access["authority"] as? String == "AA:BB:CC")
  }

  @Test func testCode_LogsInOnceWithATokenOfItsOwn() async throws {
    let tokens = FixedTokens("right-token")
    let client = TestClient(tokens: tokens, isSecure: true)
    let body = #"{"code":"right-code","name":"Safari on iPhone"}"#
    let answer = try await client.ask(.post, "/api/v1/login", body)
    #expect(answer.status == 204 && answer.body.isEmpty)
    let cookie = try #require(answer.headers[values: .setCookie].first)
    let secret = try #require(cookie.split(separator: ";").first?.split(separator: "=").last)
    #expect(secret != "right-token" && secret != "right-code")
    let access = try await client.get("/api/v1/access", headers: ["Cookie": "__Host-tachogram=\(secret)"])
    let object = try Self.object(access.body)
    #expect(object["name"] as? String == "Safari on iPhone" && object["scope"] as? String == "full")
    #expect(object["isProtected"] as? Bool == true && object["isTokenRequired"] as? Bool == true)
    #expect(try await client.ask(.post, "/api/v1/login", body).status == 401)
    #expect(tokens.tokens().count == 2)
  }

  /// Whoever listens on the network would have it.
  @Test func testTokenOverPlainHTTP_IsNotIssued() async throws {
    let tokens = FixedTokens("right-token")
    let client = TestClient(tokens: tokens)
    let code = try await client.ask(.post, "/api/v1/login", #"{"code":"right-code"}"#)
    #expect(code.status == 403 && code.body.contains("TLS") && code.header("Set-Cookie") == nil)
    let new = try await client.ask(.post, "/api/v1/tokens", #"{"name":"a","scope":"read"}"#, headers: Self.bearer)
    #expect(new.status == 403)
    #expect(tokens.tokens().count == 1)
    #expect(try tokens.redeem("right-code", name: ChosenName("a")) != nil)
  }

  @Test func testWrongCodes_HaveToWait() async throws {
    let client = TestClient(token: "right-token", isSecure: true)
    for _ in 0..<10 { #expect(try await client.ask(.post, "/api/v1/login", #"{"code":"guess"}"#).status == 401) }
    #expect(try await client.ask(.post, "/api/v1/login", #"{"code":"right-code"}"#).status == 429)
    client.clock.advance(seconds: 61)
    #expect(try await client.ask(.post, "/api/v1/login", #"{"code":"right-code"}"#).status == 204)
  }

  @Test(arguments: [
    #"{}"#, #"{"token":"a","code":"b"}"#, #"{"token":"a","name":"b"}"#, #"{"code":1}"#,
    #"{"code":"a","name":"\u0007"}"#,
    #"{"code":"a","other":1}"#,
  ])
  func testLoginThatIsUnclear_IsRefused(body: String) async throws {
    let client = TestClient(token: "right-token", isSecure: true)
    #expect(try await client.ask(.post, "/api/v1/login", body).status == 400)
  }

  @Test func testTokens_AreAddedListedAndRevoked() async throws {
    let client = TestClient(token: "right-token", isSecure: true)
    let new = try await client.ask(
      .post, "/api/v1/tokens", #"{"name":"Panel","scope":"read"}"#, headers: Self.bearer)
    #expect(new.status == 200)
    let issued = try Self.object(new.body)
    let (secret, id) = (try #require(issued["token"] as? String), try #require(issued["id"] as? String))
    let panel = ["Authorization": "Bearer \(secret)"]
    #expect(try await client.get("/api/v1/status", headers: panel).status == 200)
    let list = try await client.get("/api/v1/tokens", headers: Self.bearer)
    #expect(!list.body.contains(secret) && !list.body.contains("right-token"))
    let tokens = try #require(try Self.object(list.body)["tokens"] as? [[String: Any]])
    #expect(tokens.map { $0["name"] as? String } == ["Panel", "Station"])
    #expect(tokens.map { $0["isOwn"] as? Bool } == [false, true])
    let again = try await client.ask(
      .post, "/api/v1/tokens", #"{"name":"Panel","scope":"full"}"#, headers: Self.bearer)
    #expect(again.status == 409 && again.body.contains("Panel"))
    #expect(try await client.ask(.delete, "/api/v1/tokens/\(id)", headers: Self.bearer).status == 204)
    #expect(try await client.get("/api/v1/status", headers: panel).status == 401)
    #expect(try await client.ask(.delete, "/api/v1/tokens/\(id)", headers: Self.bearer).status == 404)
  }

  @Test func testLogOut_RevokesTheTokenOfTheBrowserButNotTheStations() async throws {
    let tokens = FixedTokens("right-token")
    let phone = try tokens.add(ChosenName("Phone"), .read)
    let client = TestClient(tokens: tokens, isSecure: true)
    let cookie = ["Cookie": "__Host-tachogram=\(phone.secret)"]
    let answer = try await client.ask(.post, "/api/v1/logout", headers: cookie)
    #expect(answer.status == 204)
    #expect(answer.header("Set-Cookie")?.contains("Max-Age=0") == true)
    #expect(try await client.get("/api/v1/status", headers: cookie).status == 401)
    #expect(try await client.ask(.post, "/api/v1/logout", headers: Self.bearer).status == 204)
    #expect(try await client.get("/api/v1/status", headers: Self.bearer).status == 200)
  }

  @Test func testStationWithoutTokens_SaysSo() async throws {
    let client = TestClient()
    let access = try Self.object(try await client.get("/api/v1/access").body)
    #expect(access["isTokenRequired"] as? Bool == false && access["scope"] as? String == "full")
    #expect(access["name"] == nil)
    #expect(try await client.get("/api/v1/tokens").status == 409)
    #expect(try await client.ask(.post, "/api/v1/login", #"{"token":"any"}"#).status == 204)
  }

  @Test func testStreamOfARevokedToken_Ends() async throws {
    let tokens = FixedTokens("right-token")
    let phone = try tokens.add(ChosenName("Phone"), .read)
    let client = TestClient(tokens: tokens, isSecure: true)
    let stream = Task {
      try await client.get("/api/v1/events", headers: ["Authorization": "Bearer \(phone.secret)"])
    }
    while client.feed.counts.readers == 0 {
      try Task.checkCancellation()
      await Task.yield()
    }
    #expect(tokens.revoke(phone.record.id))
    client.feed.publish(.status(try await client.backend.status()))
    let answer = try await stream.value
    #expect(answer.status == 200 && !answer.body.contains("event: status"))
  }
}
