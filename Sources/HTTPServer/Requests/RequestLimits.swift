import HTTPTypes
import NIOCore

/// The limits of the requests of a server.
package struct RequestLimits: Sendable {
  /// Decides on a request when its head has arrived, from the maximum length of its body in bytes. What it returns is released
  /// when the request is answered, or its connection ends.
  package typealias Admission = @Sendable (HTTPRequest, _ longestBody: Int) throws(RequestFailure) -> (any Sendable)?

  /// The maximum length of a body, in bytes.
  package let largestBody: Int
  /// The maximum time from the opening of the connection, the end of the TLS handshake or the first byte of a later request to
  /// the end of the body.
  package let requestTime: TimeAmount
  let admit: Admission

  /// Creates limits. The defaults are those of the page.
  package init(
    largestBody: Int = 16 * 1024, requestTime: TimeAmount = .seconds(30), admit: @escaping Admission = { _, _ in nil }
  ) {
    self.largestBody = largestBody
    self.requestTime = requestTime
    self.admit = admit
  }
}
