import Dispatch
import HTTPTypes

/// Sends HTTP requests with the system's libcurl, which supports proxies, certificates and name resolution, and is updated
/// independently of this package.
package struct HTTPClient: Sendable {
  package struct Request: Sendable {
    package var method: HTTPRequest.Method
    /// An `http` or `https` URL.
    package var url: String
    package var headers: HTTPFields
    package var body: [UInt8]
    /// The longest that the request may take in place of that of the options.
    package var timeout: Duration?

    package init(
      _ method: HTTPRequest.Method, url: String, headers: HTTPFields = [:], body: [UInt8] = [],
      timeout: Duration? = nil
    ) {
      self.timeout = timeout
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }
  }

  /// A response of any status.
  package struct Response: Sendable {
    package let status: HTTPResponse.Status
    package let headers: HTTPFields
    package let body: [UInt8]
  }

  package struct Options: Sendable {
    /// The longest that a request may take, redirects included.
    package var timeout = Duration.seconds(30)
    /// The longest that connecting may take, name resolution and TLS included.
    package var connectTimeout = Duration.seconds(30)
    /// Whether connections stay open for later requests of the same client.
    package var keepsConnections = false
    /// The largest body that a response may have, in bytes.
    package var largestBody = 1 << 20
    /// How many redirects are followed.
    package var redirects = 3
    /// Whether the proxies that the environment names are used (`http_proxy`, `https_proxy`, `no_proxy`).
    package var usesProxies = true
    /// A PEM file of the certificates to trust in place of the system's.
    package var authorities: String?

    package init() {}
  }

  private static let queue = DispatchQueue(label: "tachogram.http-client", qos: .utility, attributes: .concurrent)

  package let options: Options
  private let idle: IdleTransfers?

  package init(_ options: Options = Options()) {
    self.options = options
    idle = options.keepsConnections ? IdleTransfers() : nil
  }

  /// Sends a request. libcurl blocks the thread, which is one of Dispatch's; a cancelled request ends within a second.
  package func send(_ request: Request) async throws(HTTPClientError) -> Response {
    let cancellation = CancellationFlag()
    let result: Result<Response, HTTPClientError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Self.queue.async {
          continuation.resume(returning: Transfer.perform(request, options, idle, cancellation))
        }
      }
    } onCancel: {
      cancellation.set()
    }
    return try result.get()
  }

  /// Sends a request, and repeats it as `retries` allows.
  package func send(
    _ request: Request, retries: HTTPRetries,
    sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
  ) async throws(HTTPClientError) -> Response {
    var retries = retries
    while true {
      let result: Result<Response, HTTPClientError>
      do throws(HTTPClientError) { result = .success(try await send(request)) } catch { result = .failure(error) }
      guard let pause = retries.next(after: result) else { return try result.get() }
      do { try await sleep(pause) } catch { throw .cancelled }
    }
  }
}
