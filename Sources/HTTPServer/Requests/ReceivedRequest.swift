import HTTPTypes
import NIOCore

/// A request that has arrived completely. Bodies are short enough not to be passed on in parts.
package struct ReceivedRequest: Sendable {
  package let head: HTTPRequest
  package let body: ByteBuffer
  let exchange: Exchange
  /// What `RequestLimits.admit` returned. It is released with the request.
  let place: (any Sendable)?
}
