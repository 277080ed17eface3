import HTTPServer
import HTTPTypes
import NIOCore

/// Bytes of a connection: the requests and the refusal are the same whatever the sizes of the pieces received, and no body
/// exceeds the limit.
enum HTTPFuzz {
  /// The result of parsing.
  private struct Outcome: Equatable {
    var requests: [HTTPRequest] = []
    var bodies: [ByteBuffer] = []
    var failure: RequestFailure?
  }

  static func run(_ bytes: [UInt8]) throws -> Bool {
    let whole = try outcome(bytes, piece: bytes.count)
    for piece in [1, 7] {
      try FuzzFinding.unless(try outcome(bytes, piece: piece) == whole, "\(piece) bytes at a time are other requests")
    }
    return !whole.requests.isEmpty
  }

  private static func outcome(_ bytes: [UInt8], piece: Int) throws -> Outcome {
    var (parser, outcome) = (RequestParser(isSecure: false), Outcome())
    for start in stride(from: 0, to: bytes.count, by: max(1, piece)) {
      parser.append(ByteBuffer(bytes: bytes[start..<min(start + piece, bytes.count)]))
      do {
        while case .request(let request) = try parser.next() {
          try FuzzFinding.unless(request.body.readableBytes <= RequestLimits().largestBody, "a body is too large")
          try FuzzFinding.unless(request.head.path?.isEmpty == false, "a request has no path")
          outcome.requests.append(request.head)
          outcome.bodies.append(request.body)
        }
      } catch let failure as RequestFailure {
        try FuzzFinding.unless((400..<600).contains(failure.status.code), "refused with \(failure.status)")
        outcome.failure = failure
        return outcome
      }
    }
    return outcome
  }
}
