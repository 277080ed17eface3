import HTTPTypes
import Testing

@testable import HTTPClient

struct HTTPRetriesTests {
  private static func response(_ code: Int, retryAfter: String? = nil) -> Result<HTTPClient.Response, HTTPClientError> {
    var headers = HTTPFields()
    headers[.retryAfter] = retryAfter
    return .success(HTTPClient.Response(status: .init(code: code), headers: headers, body: []))
  }

  @Test(arguments: [200, 204, 301, 400, 401, 403, 404, 410])
  func testLastingAnswers_AreNotAskedForAgain(code: Int) {
    var retries = HTTPRetries()
    #expect(retries.next(after: Self.response(code)) == nil)
  }

  @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
  func testPassingAnswers_AreAskedForAgain(code: Int) {
    var retries = HTTPRetries()
    #expect(retries.next(after: Self.response(code)) == .seconds(1))
    #expect(retries.next(after: Self.response(code)) == .seconds(2))
    #expect(retries.next(after: .failure(.unreachable)) == .seconds(4))
  }

  @Test func testRetryAfter_IsKept() {
    var retries = HTTPRetries()
    #expect(retries.next(after: Self.response(429, retryAfter: "30")) == .seconds(30))
    #expect(retries.next(after: Self.response(429, retryAfter: "0")) == .seconds(2))
    #expect(retries.next(after: Self.response(503, retryAfter: "-5")) == .seconds(4))
    #expect(retries.next(after: Self.response(503, retryAfter: "Fri, 31 Dec 1999 23:59:59 GMT")) == .seconds(8))
    #expect(retries.next(after: Self.response(503, retryAfter: "99999999999999999999")) == .seconds(16))
    #expect(retries.next(after: Self.response(503, retryAfter: "9223372036854775807")) == nil)
  }

  @Test func testRetries_End() {
    var (some, long) = (HTTPRetries(count: 3), HTTPRetries(count: 100, within: .seconds(900)))
    for _ in 0..<3 { #expect(some.next(after: .failure(.timedOut)) != nil) }
    #expect(some.next(after: .failure(.timedOut)) == nil)
    var waited = Duration.zero
    while let pause = long.next(after: .failure(.hostNotFound)) { waited += pause }
    #expect(waited == .seconds(511))
  }

  @Test(arguments: [HTTPClientError.invalidAddress, .bodyTooLarge, .tooManyRedirects, .cancelled])
  func testFailuresThatLast_AreNotTriedAgain(error: HTTPClientError) {
    var retries = HTTPRetries()
    #expect(retries.next(after: .failure(error)) == nil)
  }
}
