import Foundation
import HTTPTypes
import TachogramTestKit
import Testing

@testable import HTTPClient

/// Requests to a server of this process, by the system's libcurl.
@Suite(.timeLimit(.minutes(5)))
struct HTTPClientTests {
  /// Without the proxies of whoever runs the tests.
  private static var direct: HTTPClient.Options {
    var options = HTTPClient.Options()
    options.usesProxies = false
    return options
  }

  /// Runs `body` with the base URL of a server.
  private static func withServer(_ body: (_ base: String) async throws -> Void) async throws {
    let server = try WebServer { request in
      switch (request.method, request.path) {
      case ("GET", "/hello"): .init(200, body: Array("hello \(request.headers["user-agent"] ?? "")".utf8))
      case ("PUT", "/echo"):
        .init(201, headers: ["Content-Type": request.headers["content-type"] ?? "none"], body: request.body)
      case ("POST", "/echo"): .init(200, body: request.body)
      case ("DELETE", "/echo"): .init(204)
      case ("GET", "/many"): .init(200, body: Array(repeating: 65, count: 5000))
      case ("POST", "/moved"): .init(302, headers: ["Location": "/echo"])
      case ("GET", "/loop"): .init(302, headers: ["Location": "/loop"])
      case ("GET", "/file"): .init(302, headers: ["Location": "file:///etc/passwd"])
      case ("GET", "/never"): nil
      default: .init(404)
      }
    }
    defer { server.stop() }
    try await body(server.base)
  }

  @Test func testRequests_AreAnswered() async throws {
    try await Self.withServer { base in
      let client = HTTPClient(Self.direct)
      let hello = try await client.send(.init(.get, url: base + "/hello"))
      #expect(hello.status == .ok)
      #expect(String(decoding: hello.body, as: UTF8.self) == "hello tachogram")
      #expect(hello.headers[.contentLength] == "15")
      let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
      let put = try await client.send(
        .init(.put, url: base + "/echo", headers: [.contentType: "application/octet-stream"], body: bytes))
      #expect(put.status == .created)
      #expect(put.headers[.contentType] == "application/octet-stream")
      #expect(put.body == bytes)
      #expect(try await client.send(.init(.post, url: base + "/echo")).body.isEmpty)
      #expect(try await client.send(.init(.delete, url: base + "/echo")).status == .noContent)
      #expect(try await client.send(.init(.head, url: base + "/nothing")).status == .notFound)
    }
  }

  @Test func testRedirects_AreFollowedWithTheBody() async throws {
    try await Self.withServer { base in
      let client = HTTPClient(Self.direct)
      let moved = try await client.send(.init(.post, url: base + "/moved", body: Array("all of it".utf8)))
      #expect(moved.status == .ok)
      #expect(String(decoding: moved.body, as: UTF8.self) == "all of it")
      #expect(moved.headers[.location] == nil)
      await #expect(throws: HTTPClientError.tooManyRedirects) {
        try await client.send(.init(.get, url: base + "/loop"))
      }
      await #expect(throws: HTTPClientError.invalidAddress) {
        try await client.send(.init(.get, url: base + "/file"))
      }
      var none = Self.direct
      none.redirects = 0
      #expect(try await HTTPClient(none).send(.init(.post, url: base + "/moved")).status == .found)
    }
  }

  @Test func testLargeBody_IsRefused() async throws {
    try await Self.withServer { base in
      var options = Self.direct
      options.largestBody = 5000
      let whole = try await HTTPClient(options).send(.init(.get, url: base + "/many"))
      #expect(whole.body.count == 5000)
      options.largestBody = 4999
      await #expect(throws: HTTPClientError.bodyTooLarge) {
        try await HTTPClient(options).send(.init(.get, url: base + "/many"))
      }
    }
  }

  @Test func testHostThatDoesNotAnswer_TimesOutAndCanBeCancelled() async throws {
    try await Self.withServer { base in
      var options = Self.direct
      options.timeout = .milliseconds(1)
      await #expect(throws: HTTPClientError.timedOut) {
        try await HTTPClient(options).send(.init(.get, url: base + "/never"))
      }
      let request = Task { try await HTTPClient(Self.direct).send(.init(.get, url: base + "/never")) }
      request.cancel()
      await #expect(throws: HTTPClientError.cancelled) { try await request.value }
    }
  }

  @Test(arguments: ["", "http://", "ftp://127.0.0.1/", "file:///etc/passwd", "no address", "http://a b/"])
  func testAddressesThatCannotBe_AreRefused(url: String) async {
    await #expect(throws: HTTPClientError.invalidAddress) {
      try await HTTPClient(Self.direct).send(.init(.get, url: url))
    }
  }

  @Test func testServerWithoutTLS_IsNoTLSConnection() async throws {
    try await Self.withServer { base in
      let secure = base.replacing("http:", with: "https:")
      await #expect {
        try await HTTPClient(Self.direct).send(.init(.get, url: secure + "/hello"))
      } throws: { error in
        if case .tls? = error as? HTTPClientError { true } else { false }
      }
    }
  }
}
