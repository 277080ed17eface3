/// The reason why a request has no response. The text names neither address nor headers, which may hold secrets.
package enum HTTPClientError: Error, Hashable, Sendable, CustomStringConvertible {
  case invalidAddress
  case hostNotFound
  case unreachable
  case timedOut
  case tooManyRedirects
  /// The response has more than `HTTPClient.Options.largestBody` bytes.
  case bodyTooLarge
  /// The certificate was refused or the handshake failed; `reason` in libcurl's words.
  case tls(reason: String)
  case cancelled
  /// Anything else, in libcurl's words.
  case failed(reason: String)

  package var description: String {
    switch self {
    case .invalidAddress: "the address is not a valid http or https URL"
    case .hostNotFound: "the host name cannot be resolved"
    case .unreachable: "the host refused the connection or cannot be reached"
    case .timedOut: "the host did not answer in time"
    case .tooManyRedirects: "the host redirected too often"
    case .bodyTooLarge: "the response is too large"
    case .tls(let reason): "no TLS connection: \(reason)"
    case .cancelled: "the request was cancelled"
    case .failed(let reason): reason
    }
  }
}
