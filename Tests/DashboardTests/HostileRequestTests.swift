import DashboardTestKit
import HTTPServer
import NIOCore
import Synchronization
import Testing

@testable import Dashboard

/// Bytes over a network to the server as the station runs it: each request has its answer, and a connection that cannot go
/// on ends.
@Suite("Hostile requests", .timeLimit(.minutes(5)))
struct HostileRequestTests {
  private static let probe = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

  private static func head(_ line: String, _ fields: String...) -> String {
    ([line] + fields).joined(separator: "\r\n") + "\r\n\r\n"
  }

  private static func get(_ path: String, _ fields: String...) -> String {
    (["GET \(path) HTTP/1.1", "Host: localhost"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
  }

  private static let many = String(repeating: "a", count: 20_000)
  private static let preview = "POST /api/v1/deletions/preview HTTP/1.1"
  private static let json = "Content-Type: application/json"

  /// What is sent, with a sound request behind it, and the statuses that come back: the last 200 is that of the sound one, and
  /// is missing where the connection cannot go on.
  private struct Case: Sendable {
    let request: String
    let statuses: [Int]

    init(_ request: String, _ statuses: Int...) {
      self.request = request
      self.statuses = statuses
    }
  }

  private static let cases: [Case] = [
    // Versions, hosts and targets.
    Case(head("GET /healthz HTTP/1.0"), 200), Case(head("GET /healthz HTTP/1.0", "Connection: keep-alive"), 200, 200),
    Case(head("GET /healthz HTTP/1.0", "Host: localhost", "Connection: Keep-Alive"), 200, 200),
    Case(head("GET /healthz HTTP/1.0", "Host: evil.example"), 403),
    Case(head("GET /healthz HTTP/1.1"), 400), Case(head("GET /healthz HTTP/1.1", "Host: a", "Host: a"), 400),
    Case(head("GET /healthz HTTP/1.1", "Host: local host"), 400), Case(head("GET /healthz HTTP/1.1", "Host:"), 400),
    Case(head("GET /healthz HTTP/1.1", "Host: evil.example"), 403, 200),
    Case(head("GET /healthz HTTP/2.0", "Host: localhost"), 505), Case("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    Case(head("GET /healthz HTTP/1.2", "Host: localhost"), 200, 200), Case(head("GET /healthz"), 400),
    Case(head("GET /healthz HTTP/1.1", "Host: localhost").replacing("\r\n", with: "\n"), 400),
    Case("\r\n" + get("/healthz"), 200, 200), Case(get("http://localhost/healthz"), 200, 200),
    Case(get("http://evil.example/healthz"), 403, 200), Case(get("ftp://localhost/healthz"), 400), Case(get("*"), 400),
    Case(head("OPTIONS * HTTP/1.1", "Host: localhost"), 204, 200), Case(get("healthz"), 400),
    Case(get("/%zz%00"), 404, 200), Case(get("/%68ealth%7A?a=%2F"), 200, 200), Case(get("/%2568ealthz"), 404, 200),
    Case(get("http://localhost/%68ealthz"), 200, 200), Case(get("/%2Fhealthz"), 404, 200),
    Case(get("/api/..%2fhealthz"), 404, 200), Case(get("/api/%2e%2e/healthz"), 404, 200),
    Case(get("/healthz", "Origin: http://evil.example"), 403, 200),
    Case(get("/healthz", "Origin: http://localhost"), 200, 200),
    Case(get("/" + many), 414), Case(get("/healthz", "A: " + many), 431),
    Case(get("/healthz", String(repeating: "A: b\r\n", count: 70) + "B: c"), 431),
    // Methods.
    Case(head("MADEUP /healthz HTTP/1.1", "Host: localhost"), 501),
    Case(head("get /healthz HTTP/1.1", "Host: localhost"), 501),
    Case(head("CONNECT localhost:1 HTTP/1.1", "Host: localhost:1"), 501),
    Case(head("DELETE /healthz HTTP/1.1", "Host: localhost"), 405, 200),
    Case(head("TRACE /healthz HTTP/1.1", "Host: localhost"), 405, 200),
    Case(head("OPTIONS /healthz HTTP/1.1", "Host: localhost"), 204, 200),
    Case(head("HEAD /healthz HTTP/1.1", "Host: localhost"), 200, 200),
    Case(head("HEAD /api/v1/events HTTP/1.1", "Host: localhost"), 200, 200),
    Case(head("HEAD /api/v1/sessions/\(FakeBackend.session)/export HTTP/1.1", "Host: localhost"), 200, 200),
    Case(many, 501),
    Case("\u{16}\u{3}\u{1}\u{2}", 400),
    // Fields.
    Case(get("/healthz", "A: b", " c"), 400), Case(get("/healthz", "A : b"), 400), Case(get("/healthz", "A"), 400),
    Case(get("/healthz", "A: b\u{0}"), 400), Case(get("/healthz", ": b"), 400),
    Case(get("/healthz", "Expect: x"), 417),
    Case(get("/healthz", "Upgrade: websocket", "Connection: upgrade"), 200, 200),
    // Bodies.
    Case(head(preview, "Host: localhost", json, "Content-Length: 9900000000"), 413),
    Case(head(preview, "Host: localhost", json, "Content-Length: 9900000000", "Expect: 100-continue"), 413),
    Case(head(preview, "Host: localhost", json, "Content-Length: \(many.prefix(300).replacing("a", with: "9"))"), 413),
    Case(head(preview, "Host: localhost", json, "Content-Length: 20000") + many, 413),
    Case(
      head(preview, "Host: localhost", json, "Transfer-Encoding: chunked") + "4e20\r\n" + many + "\r\n0\r\n\r\n", 413),
    Case(
      head(preview, "Host: localhost", json, "Transfer-Encoding: chunked")
        + String(repeating: "800\r\n\(many.prefix(2048))\r\n", count: 12) + "0\r\n\r\n", 413),
    Case(head(preview, "Host: localhost", json, "Transfer-Encoding: chunked") + "x\r\n", 400),
    Case(head(preview, "Host: localhost", json, "Content-Length: 2", "Content-Length: 3") + "{}", 400),
    Case(head(preview, "Host: localhost", json, "Content-Length: 2", "Transfer-Encoding: chunked") + "{}", 400),
    Case(head(preview, "Host: localhost", json, "Transfer-Encoding: gzip, chunked"), 501),
    Case(head(preview, "Host: localhost", json, "Content-Length: 0"), 400, 200),
    Case(
      head(preview, "Host: localhost", json, "Content-Length: 19", "Expect: 100-continue") + "{\"everything\":true}",
      200,
      200),
    Case(
      head(preview, "Host: localhost", json, "Transfer-Encoding: chunked")
        + "8;x=y\r\n{\"everyt\r\nB\r\nhing\":true}\r\n0\r\n\r\n", 200, 200),
    Case(get("/healthz", "Content-Length: 3") + "abc", 200, 200),
  ]

  @Test(arguments: cases.indices)
  func testRequest_HasItsAnswerAndItsEnd(index: Int) async throws {
    // Given
    let (request, statuses) = (Self.cases[index].request, Self.cases[index].statuses)
    // When
    let text = try await ListeningServer().run { port in
      try await RawClient.exchange(port: port, [request + Self.probe])
    }
    // Then
    let responses = try #require(RawResponse.all(text), "\(text.prefix(500))")
    #expect(responses.map(\.status) == statuses, "\(text.prefix(500))")
    #expect(responses.last?.fields["connection"] == "close")
    for response in responses {
      #expect(response.fields["x-content-type-options"] == "nosniff")
      #expect(response.fields["date"]?.hasSuffix(" GMT") == true)
      if response.status >= 400 { #expect(response.body.hasPrefix("{\"error\":\"")) }
    }
  }

  @Test(arguments: ["", "GET /heal", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n"])
  func testClientThatEndsEarly_IsAnsweredIfItSaidSomething(request: String) async throws {
    let text = try await ListeningServer().run { port in
      try await RawClient.exchange(port: port, [request], ends: true)
    }
    #expect(RawResponse.all(text)?.map(\.status) == (request.isEmpty ? [] : [400]))
  }

  /// Many clients read the answer only when all is sent; the system would throw it away if the server just closed.
  @Test func testClientThatSendsFarTooMuch_StillGetsTheAnswer() async throws {
    let size = 6 << 20
    let request = Self.head(Self.preview, "Host: localhost", Self.json, "Content-Length: \(size)")
    let text = try await ListeningServer().run { port in
      try await RawClient.exchange(port: port, [request, String(repeating: "a", count: size)])
    }
    #expect(RawResponse.all(text)?.map(\.status) == [413])
  }

  @Test func testExpectation_IsMetBeforeTheBodyComes() async throws {
    let request = Self.head(Self.preview, "Host: localhost", Self.json, "Content-Length: 19", "Expect: 100-continue")
    let text = try await ListeningServer().run { port in
      try await RawClient.connection(port) { inbound, outbound in
        try await outbound.write(ByteBuffer(string: request))
        var received = ""
        for try await bytes in inbound {
          // The first bytes are the word that is waited for.
          if received.isEmpty { try await outbound.write(ByteBuffer(string: "{\"everything\":true}" + Self.probe)) }
          received += String(buffer: bytes)
        }
        return received
      }
    }
    #expect(RawResponse.all(text)?.map(\.status) == [100, 200, 200])
  }

  // MARK: - Pipelining

  @Test(arguments: [10, 100, 1000], [false, true])
  func testRequestsAtOnce_AreAllAnsweredInOrder(count: Int, ends: Bool) async throws {
    let paths = (0..<count).map { $0 % 3 == 0 ? "/missing/\($0)" : "/healthz" }
    let requests = paths.map { Self.get($0) }.joined()
    let text = try await ListeningServer().run { port in
      try await RawClient.exchange(port: port, [requests + (ends ? "" : Self.probe)], ends: ends)
    }
    let expected = paths.map { $0 == "/healthz" ? 200 : 404 } + (ends ? [] : [200])
    #expect(RawResponse.all(text)?.map(\.status) == expected)
  }

  /// Nothing is read of a client that takes no answers, and nothing of it is lost when it does.
  @Test func testClientThatSendsFasterThanItReads_LosesNothing() async throws {
    let request = Self.get("/vendor/dygraph.min.js")
    let count = 100
    let page = try await TestClient().get("/vendor/dygraph.min.js")
    try #require(page.status == 200)
    let text = try await ListeningServer().run { port in
      try await RawClient.connection(port) { inbound, outbound in
        // All of it is written before anything is read here; the network holds what the server does not take.
        try await outbound.write(ByteBuffer(string: String(repeating: request, count: count) + Self.probe))
        var received = ByteBuffer()
        for try await bytes in inbound { received.writeImmutableBuffer(bytes) }
        return String(buffer: received)
      }
    }
    let responses = try #require(RawResponse.all(text))
    #expect(responses.count == count + 1)
    #expect(responses.dropLast().allSatisfy { $0.status == 200 && $0.body == page.body })
  }

  // MARK: - Many connections

  @Test func testClientWithVeryManyHalfRequests_BlocksNobody() async throws {
    let limits = ConnectionLimits(total: 32, network: 4)
    let statuses = try await ListeningServer(limits: limits).run { port in
      try await RawClient.holding(port: port, count: 3 * limits.total, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-")
      {
        var statuses: [Int?] = []
        for _ in 0..<5 {
          let text = try await RawClient.exchange(port: port, [Self.probe])
          statuses.append(RawResponse.all(text)?.first?.status)
        }
        return statuses
      }
    }
    #expect(statuses == Array(repeating: 200, count: 5))
  }

  @Test func testStreamsOfOneNetwork_LeaveRoomForOtherRequests() async throws {
    let limits = ConnectionLimits(total: 32, network: 4)
    let streams = limits.streams(of: ClientNetwork(try SocketAddress(ipAddress: "::1", port: 1)))
    let statuses = try await ListeningServer(limits: limits).run { port in
      try await RawClient.holding(port: port, count: streams, Self.get("/api/v1/events"), untilAnswered: true) {
        var statuses: [Int?] = []
        for path in ["/api/v1/events", "/healthz"] {
          let text = try await RawClient.exchange(port: port, [Self.get(path, "Connection: close")])
          statuses.append(RawResponse.all(text)?.first?.status)
        }
        return statuses
      }
    }
    #expect(statuses == [503, 200])
  }

  // MARK: - HTTP/1.0

  @Test func testExportToOldClient_HasNoChunks() async throws {
    let path = "/api/v1/sessions/\(FakeBackend.session)/export?format=csv"
    let (old, new) = try await ListeningServer().run { port in
      (
        try await RawClient.exchange(port: port, ["GET \(path) HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"]),
        try await RawClient.exchange(port: port, [Self.get(path, "Connection: close")])
      )
    }
    let (first, second) = (try #require(RawResponse.all(old)?.first), try #require(RawResponse.all(new)?.first))
    #expect(first.fields["transfer-encoding"] == nil && second.fields["transfer-encoding"] == "chunked")
    #expect(first.fields["connection"] == "close")
    #expect(first.body == (0..<20).map { "csv \($0)\n" }.joined() && first.body == second.body)
  }
}
