import HTTPServer
import HTTPTypes
import Hummingbird
import NIOCore
import Sync

/// Creates the answers of a sync server.
enum SyncAnswer {
  /// RFC 4918, 11.5.
  static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
  private static let text = "text/plain; charset=utf-8"
  private static let binary = "application/octet-stream"

  static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
    make(status, ByteBuffer(string: text), type: self.text)
  }

  static func bytes(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
    make(status, ByteBuffer(bytes: bytes), type: binary)
  }

  static func nothing(_ status: HTTPResponse.Status) -> Response { make(status, nil, type: nil) }

  /// `retryAfter` is rounded up to seconds.
  static func failure(_ status: HTTPResponse.Status, _ message: String, retryAfter: Duration? = nil) -> Response {
    var response = make(status, ByteBuffer(string: FailureResponse.text(message)), type: FailureResponse.type)
    if let retryAfter {
      let (seconds, fraction) = retryAfter.components
      response.headers[.retryAfter] = "\(max(1, fraction > 0 ? seconds + 1 : seconds))"
    }
    if status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
    return response
  }

  static func failure(_ failure: SyncStorageFailure) -> Response {
    switch failure {
    case .unavailable(let time): self.failure(.serviceUnavailable, "\(failure).", retryAfter: time)
    case .full: self.failure(insufficientStorage, "\(failure).")
    case .disconnected:
      self.failure(.serviceUnavailable, "the database cannot be reached.", retryAfter: .seconds(2))
    case .nameTaken, .failed, .newerSchema, .notOpened: self.failure(.internalServerError, "\(failure).")
    }
  }

  private static func make(_ status: HTTPResponse.Status, _ body: ByteBuffer?, type: String?) -> Response {
    var headers = HTTPFields()
    if let type { headers[.contentType] = type }
    headers[.cacheControl] = "no-store"
    headers[.xContentTypeOptions] = "nosniff"
    if let name = HTTPField.Name(StoreMessage.versionField) { headers[name] = "1" }
    return Response(status: status, headers: headers, body: body.map { ResponseBody(byteBuffer: $0) } ?? ResponseBody())
  }
}
