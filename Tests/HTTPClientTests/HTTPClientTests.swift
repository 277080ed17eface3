import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Testing

@testable import HTTPClient

/// Requests to a server of this process, by the system's libcurl.
@Suite(.timeLimit(.minutes(2)))
struct HTTPClientTests {
  /// Without the proxies of whoever runs the tests.
  private static var direct: HTTPClient.Options {
    var options = HTTPClient.Options()
    options.usesProxies = false
    return options
  }

  /// Runs `body` with the base URL of a server.
  private static func withServer(_ body: @Sendable (_ base: String) async throws -> Void) async throws {
    let router = Router()
    router.get("hello") { request, _ in "hello \(request.headers[.userAgent] ?? "")" }
    router.on("echo", method: .put) { request, _ in
      let bytes = try await request.body.collect(upTo: 1 << 22)
      return Response(
        status: .created, headers: [.contentType: request.headers[.contentType] ?? "none"],
        body: ResponseBody(byteBuffer: bytes))
    }
    router.post("echo") { request, _ in
      Response(status: .ok, body: ResponseBody(byteBuffer: try await request.body.collect(upTo: 1 << 22)))
    }
    router.delete("echo") { _, _ in HTTPResponse.Status.noContent }
    router.get("many") { _, _ in
      Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 65, count: 5000)))
    }
    router.post("moved") { _, _ in Response(status: .found, headers: [.location: "/echo"]) }
    router.get("loop") { _, _ in Response(status: .found, headers: [.location: "/loop"]) }
    router.get("file") { _, _ in Response(status: .found, headers: [.location: "file:///etc/passwd"]) }
    router.get("never") { _, _ in
      let (nothing, _) = AsyncStream.makeStream(of: Void.self)
      for await _ in nothing {}
      return "late"
    }
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let task = Task { try await application.runService(gracefulShutdownSignals: []) }
    for await number in ports {
      do {
        try await body("http://127.0.0.1:\(number)")
      } catch {
        Issue.record(error)
      }
      break
    }
    task.cancel()
    _ = await task.result
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
