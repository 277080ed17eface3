import FoundationEssentials
import HTTPServer
import Hummingbird
import NIOCore

/// Creates answers.
enum Responses {
  /// The media type of all but the page, exports and metrics.
  static let json = FailureResponse.type

  static func json(_ body: some Encodable) throws -> Response {
    json(text: String(decoding: try JSONEncoder().encode(body), as: UTF8.self))
  }

  static func json(text: String, status: HTTPResponse.Status = .ok) -> Response {
    self.text(text, type: json, status: status)
  }

  static func text(_ text: String, type: String, status: HTTPResponse.Status = .ok) -> Response {
    let buffer = ByteBuffer(string: text)
    var headers = HTTPFields()
    headers[.contentType] = type
    headers[.cacheControl] = "no-store"
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: buffer))
  }

  static var nothing: Response { Response(status: .noContent) }

  static func failure(_ status: HTTPResponse.Status, _ message: String) -> Response {
    json(text: failureText(message), status: status)
  }

  /// Returns an error message as JSON.
  static func failureText(_ message: String) -> String {
    FailureResponse.text(message)
  }

  /// Returns the answer to a request that was invalid or failed.
  static func failure(_ error: any Error) -> Response {
    switch error {
    case let error as DashboardError:
      let status: HTTPResponse.Status =
        switch error.kind {
        case .badRequest: .badRequest
        case .notFound: .notFound
        case .conflict: .conflict
        case .busy: .serviceUnavailable
        }
      return failure(status, error.message)
    case let error as HTTPError: return failure(error.status, error.body ?? error.status.reasonPhrase)
    case is NIOTooManyBytesError: return failure(.contentTooLarge, "the body is larger than any of this request.")
    case is DecodingError: return failure(.badRequest, "the body is not the JSON object that this request has.")
    default: return failure(.internalServerError, "the station failed to answer: \(error)")
    }
  }
}
