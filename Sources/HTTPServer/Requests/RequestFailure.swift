import HTTPTypes

/// The reason for refusing a request before it reaches a route (RFC 9110 and 9112). The connection ends with the answer, since
/// the boundary between messages is no longer certain.
package enum RequestFailure: Error, Hashable, Sendable {
  /// The first line is not a method, a target and a version with one space between.
  case requestLine
  /// A line ends without CR, or has one within.
  case lineEnding
  case unknownMethod
  case connect
  case target
  /// `limit` in octets.
  case targetTooLong(limit: Int)
  case version
  case unsupportedVersion
  /// The name of a field is not a token, or is followed by a space.
  case fieldName
  /// A field is continued on a second line, which is obsolete.
  case foldedField
  case fieldValue(name: String)
  /// A field is longer than 8 KiB, there are more than 64, or they have more than 16 KiB.
  case fieldsTooLarge
  case missingHost
  case repeatedHost
  case host
  case contentLength
  case repeatedContentLength
  case contentLengthWithTransferEncoding
  case transferEncodingInHTTP10
  /// `chunked` is not the last transfer coding, or is repeated.
  case transferEncoding
  case unknownTransferCoding
  case chunk
  /// `limit` in octets.
  case bodyTooLarge(limit: Int)
  case expectation
  case timeout
  /// The server receives as much as it has room for. Try again after a second.
  case busy
  /// The client ended its side within the request.
  case incomplete

  package var status: HTTPResponse.Status {
    switch self {
    case .unknownMethod, .connect, .unknownTransferCoding: .notImplemented
    case .targetTooLong: .uriTooLong
    case .unsupportedVersion: .httpVersionNotSupported
    case .fieldsTooLarge: .requestHeaderFieldsTooLarge
    case .bodyTooLarge: .contentTooLarge
    case .expectation: .expectationFailed
    case .timeout: .requestTimeout
    case .busy: .serviceUnavailable
    default: .badRequest
    }
  }

  var message: String {
    switch self {
    case .requestLine: "the first line is not METHOD TARGET HTTP/1.1 with one space between."
    case .lineEnding: "a line does not end with CR LF, or has a CR within."
    case .unknownMethod: "this server does not know the method."
    case .connect: "this server is no proxy."
    case .target: "the request target is neither a path nor an http URL."
    case .targetTooLong(let limit): "the request target is longer than \(limit) bytes."
    case .version: "the first line has no HTTP version at its end; send HTTP/1.1."
    case .unsupportedVersion: "this server speaks HTTP/1.1 and HTTP/1.0."
    case .fieldName: "a header field has no name, or its name has other characters than a name may have."
    case .foldedField: "a header field continues on a second line, which is obsolete; send it on one."
    case .fieldValue(let name): "the header field \(name) has a control character in its value."
    case .fieldsTooLarge: "the header fields are too large: 64 of them, 8 KiB each and 16 KiB together are the limits."
    case .missingHost: "the header field Host is missing."
    case .repeatedHost: "the header field Host is given more than once."
    case .host: "the host is not a name or an address with a port or without one."
    case .contentLength: "Content-Length is not a number."
    case .repeatedContentLength: "Content-Length is given more than once."
    case .contentLengthWithTransferEncoding: "Content-Length and Transfer-Encoding exclude each other."
    case .transferEncodingInHTTP10: "HTTP/1.0 has no Transfer-Encoding."
    case .transferEncoding: "Transfer-Encoding does not end with one chunked."
    case .unknownTransferCoding: "this server knows no transfer coding but chunked."
    case .chunk: "a chunk of the body has no valid size, or does not end where its size says."
    case .bodyTooLarge(let limit): "the body is larger than \(limit) bytes."
    case .expectation: "this server meets no expectation but 100-continue."
    case .timeout: "the request did not arrive in time."
    case .busy: "the server is busy; try again after a second."
    case .incomplete: "the request was cut off."
    }
  }
}
