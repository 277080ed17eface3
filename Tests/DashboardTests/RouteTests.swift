import DashboardTestKit
import HTTPTypes
import Synchronization
import TachogramCore
import TachogramTestKit
import Testing

@testable import Dashboard

@Suite("Routes")
struct RouteTests {
  private static let session = FakeBackend.session

  @Test func testEveryAnswer_ProtectsTheBrowser() async throws {
    for path in ["/", "/api/v1/status", "/api/v1/nothing", "/healthz"] {
      let answer = try await TestClient().get(path)
      let policy = try #require(answer.header("Content-Security-Policy"))
      #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
      #expect(!policy.contains("unsafe"))
      #expect(answer.header("X-Content-Type-Options") == "nosniff")
      #expect(answer.header("Referrer-Policy") == "no-referrer")
      #expect(answer.header("Access-Control-Allow-Origin") == nil)
    }
  }

  @Test func testParameters_AreReadAndChecked() async throws {
    let asker = TestClient()
    let good = [
      ("/api/v1/sessions", "sessions - 50 -"),
      (
        "/api/v1/sessions?person=Anna%20B&limit=7&from=2026-03-29T01:02:03.5%2B02:00",
        "sessions Anna B 7 2026-03-28T23:02:03.500Z"
      ),
      ("/api/v1/sessions/\(Self.session)/beats?points=10", "beats 10"),
      ("/api/v1/trends?period=year&end=2026-02-28&person=%C3%84nne", "trends Änne year 2026-02-28"),
      ("/api/v1/baseline", "baseline -"),
    ]
    for (path, asked) in good {
      #expect(try await asker.get(path).status == 200, "\(path)")
      #expect(asker.backend.asked.withLock { $0.last } == asked)
    }
    let bad = [
      ("/api/v1/sessions?limit=0", "limit"), ("/api/v1/sessions?limit=x", "limit"),
      ("/api/v1/sessions?limit=1&limit=2", "limit"),
      ("/api/v1/sessions?from=yesterday", "from"), ("/api/v1/sessions?from=2026-02-30T00:00:00Z", "from"),
      ("/api/v1/sessions?who=Anna", "who"), ("/api/v1/sessions?person=", "person"),
      ("/api/v1/trends?period=decade", "period"), ("/api/v1/trends?end=2026-02-30", "end"),
      ("/api/v1/sessions/\(Self.session)/beats?points=9", "points"),
      ("/api/v1/sessions/\(Self.session)/windows?length=61", "length"),
      ("/api/v1/sessions/\(Self.session)/export?format=exe", "format"), ("/api/v1/status?x=1", "x"),
    ]
    for (path, name) in bad {
      let answer = try await asker.get(path)
      #expect(answer.status == 400, "\(path)")
      #expect(answer.body.contains("{\"error\":\"\(name) "), "\(path): \(answer.body)")
    }
  }

  @Test(arguments: [
    "short", "00000000-AAAA-8bbb-9ccc-ddddeeeeffff", "00000001-aaaa-8bbb-9ccc-ddddeeeeffff", "..%2f..%2fetc",
  ])
  func testUnknownSession_IsNotFound(id: String) async throws {
    for end in ["", "/beats", "/poincare", "/windows", "/stress", "/export"] {
      let answer = try await TestClient().get("/api/v1/sessions/\(id)\(end)")
      #expect(answer.status == 404)
      #expect(answer.body.contains("error"))
    }
  }

  @Test(arguments: [
    ("csv", "text/csv; charset=utf-8", "csv"), ("json", "application/json; charset=utf-8", "json"),
    ("rr", "text/plain; charset=utf-8", "rr.txt"), ("btsnoop", "application/octet-stream", "btsnoop"),
    ("kubios", "text/plain; charset=utf-8", "kubios.txt"), ("fit", "application/octet-stream", "fit"),
    ("fhir", "application/fhir+json; charset=utf-8", "fhir.json"),
  ])
  func testExport_IsAFile(format: String, type: String, suffix: String) async throws {
    let answer = try await TestClient().get("/api/v1/sessions/\(Self.session)/export?format=\(format)")
    #expect(answer.status == 200)
    #expect(answer.header("Content-Type") == type)
    #expect(answer.header("Content-Disposition") == "attachment; filename=\"tachogram-00000000.\(suffix)\"")
    #expect(answer.body == (0..<20).map { "\(format) \($0)\n" }.joined())
  }

  @Test func testStraps_AreChangedAndForgotten() async throws {
    let asker = TestClient()
    let path = "/api/v1/straps/C8:DE:AD:BE:EF:01"
    let changes = [
      ("{\"name\":\"mine\"}", "change C8:DE:AD:BE:EF:01 mine -"),
      ("{\"person\":null}", "change C8:DE:AD:BE:EF:01 - nobody"),
      ("{\"person\":\" Anna \"}", "change C8:DE:AD:BE:EF:01 - Anna"), ("{}", "change C8:DE:AD:BE:EF:01 - -"),
    ]
    for (body, asked) in changes {
      #expect(try await asker.ask(.patch, path, body).status == 200)
      #expect(asker.backend.asked.withLock { $0.last } == asked)
    }
    #expect(try await asker.ask(.patch, path.replacing(":", with: "%3A"), "{}").status == 200)
    for body in [
      "", "[]", "{\"nam\":\"x\"}", "{\"name\":\"\"}", "{\"name\":1}", "{",
      "{\"label\":\"\(String(repeating: "x", count: 101))\"}", "{\"person\":\"A\\u001b[2J\"}",
      "{\"person\":\"\\u200b\"}", "{\"name\":\" \"}",
    ] {
      #expect(try await asker.ask(.patch, path, body).status == 400, "\(body)")
    }
    #expect(try await asker.ask(.delete, path).status == 204)
    #expect(asker.backend.asked.withLock { $0.last } == "forget C8:DE:AD:BE:EF:01")
    #expect(try await asker.ask(.delete, "/api/v1/straps/nobody").status == 404)
    #expect(try await asker.ask(.patch, path, "{}", headers: ["Content-Type": "text/plain"]).status == 415)
  }

  @Test func testDeletion_NeedsASelection() async throws {
    let asker = TestClient()
    let good = [
      ("{\"everything\":true}", "- - - -"), ("{\"person\":\"Anna\"}", "- Anna - -"),
      ("{\"session\":\"\(Self.session)\",\"strap\":\"C8:DE:AD:BE:EF:01\"}", "\(Self.session) - C8:DE:AD:BE:EF:01 -"),
      ("{\"to\":\"1970-01-01T00:00:01Z\"}", "- - - \(Int64.min)...1000000"),
    ]
    for (body, asked) in good {
      #expect(try await asker.ask(.post, "/api/v1/deletions/preview", body).status == 200)
      #expect(asker.backend.asked.withLock { $0.last } == "preview \(asked)")
      #expect(try await asker.ask(.post, "/api/v1/deletions", body).status == 200)
      #expect(asker.backend.asked.withLock { $0.last } == "delete \(asked)")
    }
    let count = asker.backend.asked.withLock { $0.count }
    let bad = [
      "", "{}", "null", "{\"everything\":false}", "{\"everything\":true,\"person\":\"Anna\"}", "{\"persons\":\"Anna\"}",
      "{\"session\":\"x\"}", "{\"strap\":\"x\"}", "{\"from\":\"x\"}",
      "{\"from\":\"2026-01-02T00:00:00Z\",\"to\":\"2026-01-01T00:00:00Z\"}",
    ]
    for body in bad {
      #expect(try await asker.ask(.post, "/api/v1/deletions", body).status == 400, "\(body)")
      #expect(try await asker.ask(.post, "/api/v1/deletions/preview", body).status == 400, "\(body)")
    }
    #expect(asker.backend.asked.withLock { $0.count } == count)
  }

  @Test func testTooMuch_IsRefused() async throws {
    let body = "{\"person\":\"\(String(repeating: "x", count: 20_000))\"}"
    #expect(try await TestClient().ask(.post, "/api/v1/deletions", body).status == 413)
  }

  @Test func testHealth_SaysWhatIsWrong() async throws {
    let asker = TestClient()
    #expect(try await asker.get("/healthz").status == 200)
    asker.backend.problemText.withLock { $0 = "the disk is full" }
    let answer = try await asker.get("/healthz")
    #expect(answer.status == 503)
    #expect(answer.body == "the station has a problem; see /api/v1/status\n")
  }

  @Test func testFailureOfTheStation_IsNotTheFaultOfWhoAsks() async throws {
    let answer = try await TestClient(FakeBackend(fails: true)).get("/api/v1/status")
    #expect(answer.status == 500)
    #expect(answer.body.contains("\"error\""))
  }

  @Test func testMetrics_AreOpenMetrics() async throws {
    let answer = try await TestClient().get("/metrics")
    #expect(answer.header("Content-Type") == "application/openmetrics-text; version=1.0.0; charset=utf-8")
    #expect(answer.body.hasPrefix("# TYPE up gauge\n# HELP up Up.\nup 1\n"))
    #expect(answer.body.contains("\ntachogram_http_connections 0\n"))
    #expect(answer.body.hasSuffix("\n# EOF\n"))
  }

  @Test func testEvents_BeginWithAllThatIsKnown() async throws {
    let asker = TestClient()
    asker.feed.finish()
    let answer = try await asker.get("/api/v1/events")
    #expect(answer.header("Content-Type") == "text/event-stream")
    #expect(answer.body.hasPrefix("id: 0-0\nevent: live\ndata: {"))
    let resumed = try await asker.get("/api/v1/events", headers: ["Last-Event-ID": "0-0"])
    #expect(resumed.body.isEmpty)
  }

  // MARK: - Tokens

  @Test func testToken_IsNeededForAllButThePageItself() async throws {
    let asker = TestClient(token: "right-token")
    for path in ["/", "/healthz", "/api/v1/openapi.yaml"] {
      #expect(try await asker.get(path).status == 200, "\(path)")
    }
    for path in ["/api/v1/status", "/api/v1/live", "/api/v1/events", "/metrics", "/api/v1/sessions"] {
      let answer = try await asker.get(path)
      #expect(answer.status == 401, "\(path)")
      #expect(answer.header("WWW-Authenticate") == "Bearer")
    }
    #expect(try await asker.get("/api/v1/status", headers: ["Authorization": "Bearer right-token"]).status == 200)
    #expect(try await asker.get("/metrics", headers: ["Authorization": "Bearer right-token"]).status == 200)
  }

  /// However it is written: the router passes over empty parts of a path.
  @Test(arguments: TestClient.routes)
  func testNoWayToWriteAPath_DoesWithoutTheToken(route: String) async throws {
    let words = route.split(separator: " ").map(String.init)
    let method = try #require(HTTPRequest.Method(words[0]))
    let path = words[1].replacing(#/\{\w+\}/#, with: FakeBackend.session)
    let isOpen = ["/healthz", "/api/v1/login", "/api/v1/openapi.yaml"].contains(path)
    let asker = TestClient(token: "right-token")
    for spelling in [path, "/" + path, "//" + path, path + "/", path + "//", path.replacing("/v1/", with: "//v1///")] {
      for suffix in ["", "?a=/healthz"] {
        let answer = try await asker.ask(method, spelling + suffix)
        if isOpen {
          #expect(answer.status != 404, "\(spelling)")
        } else {
          #expect(answer.status == 401, "\(spelling)")
        }
      }
    }
  }

  @Test(arguments: ["/nothing", "/api/v1/nothing", "//nothing"])
  func testPathThatIsNot_NeedsTheTokenToo(path: String) async throws {
    let asker = TestClient(token: "right-token")
    #expect(try await asker.get(path).status == 401)
    #expect(try await asker.get(path, headers: ["Authorization": "Bearer right-token"]).status == 404)
  }

  @Test(arguments: [
    ("PUT", "/", "GET, HEAD, OPTIONS"), ("DELETE", "/api/v1/status", "GET, HEAD, OPTIONS"),
    ("GET", "/api/v1/login", "OPTIONS, POST"), ("HEAD", "/api/v1/login", "OPTIONS, POST"),
    ("PUT", "/api/v1/straps/C8:DE:AD:BE:EF:01", "DELETE, OPTIONS, PATCH"),
    ("MADEUP", "/healthz", "GET, HEAD, OPTIONS"), ("TRACE", "/api/v1/events", "GET, HEAD, OPTIONS"),
  ])
  func testMethodThatAPathHasNot_IsToldThoseThatItHas(method: String, path: String, allowed: String) async throws {
    let answer = try await TestClient().ask(try #require(HTTPRequest.Method(method)), path)
    #expect(answer.status == 405)
    #expect(answer.header("Allow") == allowed)
    #expect(answer.header("X-Content-Type-Options") == "nosniff")
    #expect(method == "HEAD" ? answer.body.isEmpty : answer.body.contains("this path has no \(method)"))
  }

  @Test func testOptionsOfTheServer_AreAllMethods() async throws {
    let answer = try await TestClient().ask(.options, "*")
    #expect(answer.status == 204)
    #expect(answer.header("Allow") == "DELETE, GET, HEAD, OPTIONS, PATCH, POST")
    #expect(try await TestClient(token: "right-token").ask(.options, "*").status == 401)
  }

  @Test(arguments: [
    ("/healthz", "GET, HEAD, OPTIONS"), ("/api/v1/login", "OPTIONS, POST"),
    ("/api/v1/sessions/\(FakeBackend.session)/export", "GET, HEAD, OPTIONS"),
  ])
  func testOptionsOfAPath_AreItsMethods(path: String, allowed: String) async throws {
    let answer = try await TestClient().ask(.options, path)
    #expect(answer.status == 204)
    #expect(answer.header("Allow") == allowed)
    #expect(answer.header("Access-Control-Allow-Methods") == nil)
    let foreign = try await TestClient().ask(.options, path, headers: ["Origin": "http://evil.example"])
    #expect(foreign.status == 403)
    #expect(try await TestClient().ask(.options, path + "/nothing").status == 404)
  }

  /// Of all paths, also of those whose answers have no length before they are written.
  @Test(arguments: TestClient.routes.filter { $0.hasPrefix("GET ") } + ["GET /", "GET /api/v1/nothing"])
  func testHead_IsGetWithoutItsBody(route: String) async throws {
    let path = String(route.dropFirst("GET ".count)).replacing(#/\{\w+\}/#, with: FakeBackend.session)
    let asker = TestClient()
    asker.feed.finish()
    let (head, get) = (try await asker.ask(.head, path), try await asker.get(path))
    #expect(head.status == get.status)
    #expect(head.body == "" && get.body != "")
    #expect(head.headers == get.headers)
    let isStream = ["/events", "/export"].contains { path.hasSuffix($0) }
    #expect(head.header("Content-Length") == (isStream ? nil : "\(get.body.utf8.count)"))
  }

  @Test func testLogIn_GivesACookieThatScriptsCannotRead() async throws {
    let asker = TestClient(token: "right-token")
    let answer = try await asker.ask(.post, "/api/v1/login", "{\"token\":\"right-token\"}")
    #expect(answer.status == 204)
    let cookie = try #require(answer.header("Set-Cookie"))
    for part in ["tachogram=right-token", "HttpOnly", "SameSite=Strict", "Path=/"] {
      #expect(cookie.contains(part), "\(cookie)")
    }
    #expect(try await asker.get("/api/v1/status", headers: ["Cookie": "tachogram=right-token"]).status == 200)
    #expect(try await asker.get("/api/v1/status", headers: ["Cookie": "tachogram=other"]).status == 401)
  }

  @Test func testLogInWithTLS_GivesACookieThatGoesWithTLSAlone() async throws {
    let asker = TestClient(token: "right-token", isSecure: true)
    let answer = try await asker.ask(.post, "/api/v1/login", "{\"token\":\"right-token\"}")
    let cookie = try #require(answer.header("Set-Cookie"))
    for part in ["__Host-tachogram=right-token", "HttpOnly", "SameSite=Strict", "Path=/", "Secure"] {
      #expect(cookie.contains(part), "\(cookie)")
    }
    #expect(!cookie.contains("Domain"))
    // And the one from before TLS goes.
    let last = try #require(answer.headers[values: .setCookie].last)
    #expect(last.hasPrefix("tachogram=; "))
    #expect(Set(last.dropFirst("tachogram=; ".count).split(separator: "; ")) == ["Max-Age=0", "Path=/", "HttpOnly"])
    #expect(try await asker.get("/api/v1/status", headers: ["Cookie": "__Host-tachogram=right-token"]).status == 200)
    // One from before TLS, which may have been listened to.
    #expect(try await asker.get("/api/v1/status", headers: ["Cookie": "tachogram=right-token"]).status == 401)
  }

  @Test func testWrongTokens_HaveToWait() async throws {
    let asker = TestClient(token: "right-token")
    for _ in 0..<10 {
      #expect(try await asker.ask(.post, "/api/v1/login", "{\"token\":\"guess\"}").status == 401)
    }
    let answer = try await asker.ask(.post, "/api/v1/login", "{\"token\":\"right-token\"}")
    #expect(answer.status == 429)
    #expect(answer.header("Retry-After") == "60")
    #expect(try await asker.get("/api/v1/status", headers: ["Authorization": "Bearer another-guess"]).status == 429)
    // Whoever shares the address and has a token is not kept out.
    #expect(try await asker.get("/api/v1/status", headers: ["Authorization": "Bearer right-token"]).status == 200)
    #expect(try await asker.get("/").status == 200)
    asker.clock.advance(seconds: 61)
    #expect(try await asker.ask(.post, "/api/v1/login", "{\"token\":\"right-token\"}").status == 204)
  }

  @Test(arguments: [["Origin": "http://evil.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"]])
  func testPageOfAnotherOrigin_MayAskForThePageItselfAlone(headers: [String: String]) async throws {
    let asker = TestClient()
    for route in TestClient.routes where route != "GET /api/v1/openapi.yaml" {
      let words = route.split(separator: " ").map(String.init)
      let method = try #require(HTTPRequest.Method(words[0]))
      let path = words[1].replacing(#/\{\w+\}/#, with: FakeBackend.session)
      #expect(try await asker.ask(method, path, "{}", headers: headers).status == 403, "\(route)")
      if method == .get { #expect(try await asker.ask(.head, path, headers: headers).status == 403, "\(route)") }
    }
    #expect(asker.backend.asked.withLock { $0.isEmpty })
    for path in ["/", "/api/v1/openapi.yaml"] { #expect(try await asker.get(path, headers: headers).status == 200) }
    // As programs ask that are no browsers.
    #expect(try await asker.get("/metrics").status == 200)
  }
}
