import HTTPTypes
import TachogramCore
import TachogramFuzz
import TachogramTestKit
import Testing

@testable import Dashboard

/// Requests that are changed at random: they are answered or refused, and the station fails over none of them.
struct MutatedRequestTests {
  private static let token = "0123456789abcdefghijkmnpqrstuvwxyz012345"
  private static let requests = 400

  /// The first line of each is method and path; header fields follow, then an empty line and the body.
  private static let seeds = [
    "GET /api/v1/sessions?person=Anna%20B&limit=7&from=2026-03-29T01:02:03.5%2B02:00&cursor=12",
    "GET /api/v1/sessions/\(FakeBackend.session)/beats?points=10",
    "GET /api/v1/sessions/\(FakeBackend.session)/windows?length=60",
    "GET /api/v1/sessions/\(FakeBackend.session)/export?format=csv",
    "GET /api/v1/trends?period=year&end=2026-02-28&person=%C3%84nne",
    "GET /api/v1/baseline?person=Anna",
    "GET /api/v1/events\nLast-Event-ID: 0-17\nSec-Fetch-Site: same-origin",
    "GET /api/v1/status\nAuthorization: Bearer \(token)\nOrigin: http://pi.local:8620",
    "GET /api/v1/live\nCookie: other=1; tachogram=\(token); last=2",
    "GET /metrics\nAuthorization: Basic abc=\nCookie: tachogram=",
    "PATCH /api/v1/straps/C8:DE:AD:BE:EF:01\n\n{\"name\":\"H10\",\"person\":null,\"label\":\"left\"}",
    "DELETE /api/v1/straps/C8%3ADE%3aAD:BE:EF:01",
    "POST /api/v1/login\n\n{\"token\":\"\(token)\"}",
    "POST /api/v1/deletions/preview\n\n{\"person\":\"Anna\",\"from\":\"2026-03-29T01:02:03Z\",\"everything\":false}",
    "POST /api/v1/deletions\n\n{\"everything\":true}",
    "GET /\nIf-None-Match: \"abc\"\nAccept-Encoding: gzip, br;q=0.5",
  ].enumerated().map { FuzzSeed(name: "\($0)", bytes: Array($1.utf8)) }

  @Test(arguments: [nil, token], 0..<4 as Range<UInt64>)
  func testChangedRequests_AreAnsweredOrRefused(_ token: String?, seed: UInt64) async throws {
    let asker = Asker(token: token)
    // Streams end at once.
    asker.feed.finish()
    var mutation = FuzzMutation(Self.seeds, longest: 2048, seed: seed)
    for _ in 0..<Self.requests / 4 {
      let text = String(decoding: mutation.next(), as: UTF8.self)
      let (method, path, headers, body) = Self.request(text)
      let answer = try await asker.ask(method, path, body, headers: headers)
      #expect((200..<500).contains(answer.status), "\(text)")
      #expect(answer.header("X-Content-Type-Options") == "nosniff", "\(text)")
      if let token, answer.status == 200, path.hasPrefix("/api/v1/s") { #expect(text.contains(token), "\(text)") }
    }
  }

  private static func request(
    _ text: String
  ) -> (method: HTTPRequest.Method, path: String, headers: [String: String], body: String?) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let first = lines.removeFirst().split(separator: " ", maxSplits: 1)
    let end = lines.firstIndex(of: "")
    let fields = lines[..<(end ?? lines.endIndex)].map { $0.split(separator: ":", maxSplits: 1) }
    let headers = fields.compactMap { $0.count == 2 ? (String($0[0]), String($0[1].drop { $0 == " " })) : nil }
    return (
      first.first.flatMap { HTTPRequest.Method(String($0)) } ?? .get, first.count > 1 ? String(first[1]) : "/",
      Dictionary(headers) { $1 }, end.map { lines[($0 + 1)...].joined(separator: "\n") }
    )
  }
}
