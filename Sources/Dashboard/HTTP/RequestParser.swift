import HTTPTypes
import NIOCore

/// Reads requests out of the bytes of a connection, one at a time, as RFC 9112 has them and in no other way: what other
/// programs might read differently, such as a proxy, is refused with the status that says why.
package struct RequestParser {
  package enum Step {
    /// More bytes are needed.
    case incomplete
    /// The client waits for a word before it sends the body.
    case expectsContinue
    case request(ReceivedRequest)
  }

  private enum Phase {
    case line
    case fields(RequestLine)
    case body(Head, Int)
    case chunks(Head, ChunkedBody)
  }

  private struct Head {
    let request: HTTPRequest
    let exchange: Exchange
  }

  /// The largest body, in bytes: no request of ours has more.
  package static let largestBody = 16 * 1024
  /// Empty lines that may precede a request (RFC 9112, 2.2).
  private static let mostEmptyLines = 4

  private let scheme: String
  private var reader = LineReader()
  private var phase = Phase.line
  private var fields = RequestFields()
  private var emptyLines = 0
  private var isHead = false

  package init(isSecure: Bool) {
    scheme = isSecure ? "https" : "http"
  }

  /// Whether something of a request is there that was not returned yet.
  var hasBegun: Bool {
    if case .line = phase { return reader.count > 0 || emptyLines > 0 }
    return true
  }

  /// Whether of a request no more than its body is missing.
  var isInBody: Bool {
    switch phase {
    case .line, .fields: false
    case .body, .chunks: true
    }
  }

  /// Bytes that wait.
  var waitingBytes: Int { reader.count }

  /// How the failure of the request is answered.
  var failedExchange: Exchange { Exchange(version: .http11, isHead: isHead, keepsAlive: false) }

  package mutating func append(_ bytes: ByteBuffer) {
    reader.append(bytes)
  }

  /// The next step; after a failure there is none.
  package mutating func next() throws(RequestFailure) -> Step {
    while true {
      switch phase {
      case .line: guard try readLine() else { return .incomplete }
      case .fields(let line):
        guard let octets = try reader.readLine(limit: fields.room, orThrow: .fieldsTooLarge) else { return .incomplete }
        if !octets.isEmpty {
          try fields.append(octets)
        } else if try endHead(line) {
          return .expectsContinue
        }
      case .body(let head, let length):
        guard let body = reader.readBytes(length) else { return .incomplete }
        return end(head, body)
      case .chunks(let head, var chunks):
        // Held in one place, so that its bytes are not copied with each step.
        phase = .line
        let isWhole = try chunks.read(&reader)
        if isWhole { return end(head, chunks.bytes) }
        phase = .chunks(head, chunks)
        return .incomplete
      }
    }
  }

  /// Whether there was a line.
  private mutating func readLine() throws(RequestFailure) -> Bool {
    isHead = false
    try RequestLine.check(beginning: reader.prefix(RequestLine.longestMethod + 1))
    let tooLong = RequestFailure.targetTooLong(limit: RequestLine.longestTarget)
    guard let octets = try reader.readLine(limit: RequestLine.longest, orThrow: tooLong) else { return false }
    if octets.isEmpty {
      emptyLines += 1
      guard emptyLines <= Self.mostEmptyLines else { throw .requestLine }
      return true
    }
    let line = try RequestLine(octets)
    isHead = line.method == .head
    phase = .fields(line)
    return true
  }

  /// Whether the client waits for a word.
  private mutating func endHead(_ line: RequestLine) throws(RequestFailure) -> Bool {
    let authority = try fields.authority(line.target, line.version)
    let framing = try BodyFraming(fields, line.version, limit: Self.largestBody)
    // HTTP/1.0 has no expectations (RFC 9110, 10.1.1).
    let expectations = line.version == .http11 ? fields.expectations : []
    guard expectations.allSatisfy({ $0 == "100-continue" }) else { throw .expectation }
    let head = Head(
      request: HTTPRequest(
        method: line.method, scheme: scheme, authority: authority, path: line.target.path, headerFields: fields.fields),
      exchange: Exchange(line, fields))
    switch framing {
    case .none: phase = .body(head, 0)
    case .length(let length): phase = .body(head, length)
    case .chunked: phase = .chunks(head, ChunkedBody(limit: Self.largestBody))
    }
    return framing != .none && !expectations.isEmpty && reader.count == 0
  }

  private mutating func end(_ head: Head, _ body: ByteBuffer) -> Step {
    phase = .line
    fields = RequestFields()
    emptyLines = 0
    return .request(ReceivedRequest(head: head.request, body: body, exchange: head.exchange))
  }
}
