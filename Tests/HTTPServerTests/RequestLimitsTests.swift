import HTTPTypes
import NIOCore
import Synchronization
import TachogramCore
import Testing

@testable import HTTPServer

@Suite("Limits of requests")
struct RequestLimitsTests {
  /// Counts the places in memory that are in use.
  private final class Places: Sendable {
    private let count = Mutex(0)
    var openCount: Int { count.withLock { $0 } }

    func change(by difference: Int) { count.withLock { $0 += difference } }
  }

  private final class Place: Sendable {
    private let places: Places

    init(in places: Places) {
      self.places = places
      places.change(by: 1)
    }

    deinit { places.change(by: -1) }
  }

  private let places = Places()

  private func limits() -> RequestLimits {
    RequestLimits(largestBody: 100) { [places] request, length throws(RequestFailure) in
      guard request.path != "/refused" else { throw .busy }
      return length > 0 ? Place(in: places) : nil
    }
  }

  private static func step(_ text: String, _ parser: inout RequestParser) throws(RequestFailure) -> RequestParser.Step {
    parser.append(ByteBuffer(string: text))
    return try parser.next()
  }

  @Test func testPlace_IsHeldFromTheHeadToTheEndOfTheRequest() throws {
    var parser = RequestParser(isSecure: false, limits: limits())
    guard case .incomplete = try Self.step("PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nab", &parser) else {
      Issue.record("the body is not whole")
      return
    }
    #expect(places.openCount == 1)
    var step: RequestParser.Step? = try Self.step("c", &parser)
    guard case .request(let request) = step else {
      Issue.record("the body is whole")
      return
    }
    #expect(request.place != nil && request.body == ByteBuffer(string: "abc"))
    withExtendedLifetime(request) { #expect(places.openCount == 1) }
    step = nil
  }

  @Test func testRefusedHead_IsBusy() {
    var parser = RequestParser(isSecure: false, limits: limits())
    #expect(throws: RequestFailure.busy) { try Self.step("PUT /refused HTTP/1.1\r\nHost: x\r\n\r\n", &parser) }
    let text = String(
      buffer: FailureResponse.bytes(.busy, parser.failedExchange, at: WallTime(microseconds: 0)))
    #expect(text.hasPrefix("HTTP/1.1 503 ") && text.contains("Retry-After: 1\r\n"))
  }

  @Test(arguments: ["Content-Length: 101\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n65\r\n"])
  func testBodyAboveLimit_IsRefused(rest: String) {
    var parser = RequestParser(isSecure: false, limits: limits())
    #expect(throws: RequestFailure.bodyTooLarge(limit: 100)) {
      try Self.step("PUT /a HTTP/1.1\r\nHost: x\r\n\(rest)", &parser)
    }
  }
}
