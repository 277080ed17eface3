import FoundationEssentials
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import TachogramCore

/// The encoded answer to a request that does not reach a route. It has the same security headers as any other answer.
package enum FailureResponse {
  /// The media type of the text of a failure.
  package static let type = "application/json; charset=utf-8"

  private struct Failure: Encodable {
    let error: String
  }

  /// Returns an error message as JSON.
  package static func text(_ message: String) -> String {
    String(decoding: (try? JSONEncoder().encode(Failure(error: message))) ?? Data(), as: UTF8.self)
  }

  static func bytes(_ failure: RequestFailure, _ exchange: Exchange, at time: WallTime) -> ByteBuffer {
    let body = ByteBuffer(string: text(failure.message))
    var fields = HTTPFields()
    fields[.date] = HTTPDate.text(time)
    fields[.contentType] = type
    fields[.cacheControl] = "no-store"
    fields[.contentLength] = "\(body.readableBytes)"
    if failure == .busy { fields[.retryAfter] = "1" }
    SecurityHeaders.add(to: &fields)
    var encoder = ResponseEncoder(exchange)
    var bytes = encoder.encode(.head(HTTPResponse(status: failure.status, headerFields: fields)))
    bytes.writeImmutableBuffer(encoder.encode(.body(body)))
    bytes.writeImmutableBuffer(encoder.encode(.end(nil)))
    return bytes
  }
}
