import HTTPTypes

/// The times at which a request is repeated: after 1 s, 2 s, 4 s and so on, or after the longer time that `Retry-After`
/// demands.
package struct HTTPRetries: Sendable {
  /// The number of remaining retries.
  private var count: Int
  /// The longest time that all pauses may take together.
  private var time: Duration
  private var pause = Duration.seconds(1)

  package init(count: Int = 9, within time: Duration = .seconds(900)) {
    self.count = count
    self.time = time
  }

  /// Returns the pause before the next request, or `nil` if the request is not repeated.
  mutating func next(after result: Result<HTTPClient.Response, HTTPClientError>) -> Duration? {
    guard count > 0, Self.isTemporary(result) else { return nil }
    let asked = (try? result.get())?.headers[.retryAfter].flatMap { Int64($0) }.map { Duration.seconds(max(0, $0)) }
    let next = max(pause, asked ?? .zero)
    guard next <= time else { return nil }
    (count, time, pause) = (count - 1, time - next, pause * 2)
    return next
  }

  /// Whether the same request may succeed later.
  private static func isTemporary(_ result: Result<HTTPClient.Response, HTTPClientError>) -> Bool {
    switch result {
    case .success(let response): response.status.code >= 500 || [408, 425, 429].contains(response.status.code)
    case .failure(.hostNotFound), .failure(.unreachable), .failure(.timedOut), .failure(.failed): true
    case .failure(.tls): true
    case .failure(.invalidAddress), .failure(.tooManyRedirects), .failure(.bodyTooLarge), .failure(.cancelled): false
    }
  }
}
