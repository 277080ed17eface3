import Dashboard
import DashboardTestKit
import HTTPTypes
import Synchronization
import TachogramTestKit

/// A request to the page's server: it is answered or refused, never fails with a server error, and is never answered without
/// the required token. The input is a line with method and path, followed by header fields, an empty line and the body.
enum RequestFuzz {
  static let token = "0123456789abcdefghijkmnpqrstuvwxyz012345"

  private static let servers = [nil, token].map { token in
    let asker = TestClient(token: token)
    // Event streams end at once.
    asker.feed.finish()
    return (token: token, asker: asker)
  }

  static func run(_ bytes: [UInt8]) async throws -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let request = Request(text) else { return false }
    for server in servers {
      // Ends a lockout caused by earlier requests.
      server.asker.clock.advance(seconds: 61)
      let answer = try await server.asker.ask(
        request.method, request.path, request.body, headers: request.headers)
      defer { server.asker.backend.asked.withLock { $0 = [] } }
      try FuzzFinding.unless((200..<500).contains(answer.status), "answered with \(answer.status)")
      try FuzzFinding.unless(answer.header("X-Content-Type-Options") == "nosniff", "answered without nosniff")
      guard let token = server.token, answer.status < 300, !request.has(token) else { continue }
      // The page, its description and the log-in contain no personal data.
      let asked = server.asker.backend.asked.withLock { $0 }
      try FuzzFinding.unless(asked.isEmpty, "\(asked) were asked for without the token")
    }
    return true
  }

  /// A request parsed from an input.
  private struct Request {
    let method: HTTPRequest.Method
    let path: String
    let headers: [String: String]
    let body: String?

    /// Whether a header field that may authorise the request contains the token.
    func has(_ token: String) -> Bool {
      headers.contains { ["authorization", "cookie"].contains($0.key.lowercased()) && $0.value.contains(token) }
    }

    /// Parses a request. Returns `nil` if the first line is not that of a request.
    init?(_ text: String) {
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let first = lines.removeFirst().split(separator: " ", maxSplits: 1)
      guard first.count == 2, let method = HTTPRequest.Method(String(first[0])) else { return nil }
      let end = lines.firstIndex(of: "")
      let fields = lines[..<(end ?? lines.endIndex)].map { $0.split(separator: ":", maxSplits: 1) }
      self.method = method
      path = String(first[1])
      headers = Dictionary(
        fields.compactMap { $0.count == 2 ? (String($0[0]), String($0[1].drop { $0 == " " })) : nil }
      ) { $1 }
      body = end.map { lines[($0 + 1)...].joined(separator: "\n") }
    }
  }
}
