import HTTPTypes
import NIOCore
import NIOHTTPTypes
import TachogramCore

/// The encoded answer to a request that does not reach a route. It has the same security headers as any other answer.
enum FailureResponse {
  static func bytes(_ failure: RequestFailure, _ exchange: Exchange, at time: WallTime) -> ByteBuffer {
    let body = ByteBuffer(string: Responses.failureText(failure.message))
    var fields = HTTPFields()
    fields[.date] = HTTPDate.text(time)
    fields[.contentType] = Responses.json
    fields[.cacheControl] = "no-store"
    fields[.contentLength] = "\(body.readableBytes)"
    SecurityHeaders.add(to: &fields)
    var encoder = ResponseEncoder(exchange)
    var bytes = encoder.encode(.head(HTTPResponse(status: failure.status, headerFields: fields)))
    bytes.writeImmutableBuffer(encoder.encode(.body(body)))
    bytes.writeImmutableBuffer(encoder.encode(.end(nil)))
    return bytes
  }
}
