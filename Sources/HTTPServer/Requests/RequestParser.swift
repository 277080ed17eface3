import HTTPTypes
import NIOCore

/// Parses the requests of a connection, one at a time and strictly according to RFC 9112. Input that other programs, such as a
/// proxy, might interpret differently is refused with the corresponding status.
package struct RequestParser {
  package enum Step {
    /// More bytes are needed.
    case incomplete
    /// The client waits for `100 Continue` before it sends the body.
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
    /// The place of the body in memory.
    let place: (any Sendable)?
  }

  /// The maximum number of empty lines before a request (RFC 9112, 2.2).
  private static let mostEmptyLines = 4

  private let scheme: String
  private let limits: RequestLimits
  private var reader = LineReader()
  private var phase = Phase.line
  private var fields = RequestFields()
  private var emptyLines = 0
  private var isHead = false

  package init(isSecure: Bool, limits: RequestLimits = RequestLimits()) {
    self.limits = limits
    scheme = isSecure ? "https" : "http"
  }

  /// Whether bytes of a request have arrived that has not been returned yet.
  var hasBegun: Bool {
    if case .line = phase { return reader.count > 0 || emptyLines > 0 }
    return true
  }

  /// Whether the head of a request has been read, but not all of its body.
  var isInBody: Bool {
    switch phase {
    case .line, .fields: false
    case .body, .chunks: true
    }
  }

  /// The number of waiting bytes.
  var waitingBytes: Int { reader.count }

  /// The properties of the answer to a request that failed to parse.
  var failedExchange: Exchange { Exchange(version: .http11, isHead: isHead, keepsAlive: false) }

  package mutating func append(_ bytes: ByteBuffer) {
    reader.append(bytes)
  }

  /// Returns the next step. Must not be called after a failure.
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
        // Removed from the phase to be uniquely referenced, so that its bytes are not copied with each step.
        phase = .line
        let isWhole = try chunks.read(&reader)
        if isWhole { return end(head, chunks.bytes) }
        phase = .chunks(head, chunks)
        return .incomplete
      }
    }
  }

  /// Reads the first line of a request. Returns whether a line was available.
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

  /// Handles the end of the head. Returns whether the client waits for `100 Continue`.
  private mutating func endHead(_ line: RequestLine) throws(RequestFailure) -> Bool {
    let authority = try fields.authority(line.target, line.version)
    let framing = try BodyFraming(fields, line.version, limit: limits.largestBody)
    // HTTP/1.0 has no expectations (RFC 9110, 10.1.1).
    let expectations = line.version == .http11 ? fields.expectations : []
    guard expectations.allSatisfy({ $0 == "100-continue" }) else { throw .expectation }
    let request = HTTPRequest(
      method: line.method, scheme: scheme, authority: authority, path: line.target.path, headerFields: fields.fields)
    let head = Head(
      request: request, exchange: Exchange(line, fields),
      place: try limits.admit(request, framing.longest(limits.largestBody)))
    switch framing {
    case .none: phase = .body(head, 0)
    case .length(let length): phase = .body(head, length)
    case .chunked: phase = .chunks(head, ChunkedBody(limit: limits.largestBody))
    }
    return framing != .none && !expectations.isEmpty && reader.count == 0
  }

  private mutating func end(_ head: Head, _ body: ByteBuffer) -> Step {
    phase = .line
    fields = RequestFields()
    emptyLines = 0
    return .request(ReceivedRequest(head: head.request, body: body, exchange: head.exchange, place: head.place))
  }
}
