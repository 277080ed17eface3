import HTTPTypes
import NIOCore

/// A request that has arrived completely. Bodies are small, so that they need not be passed on in parts.
package struct ReceivedRequest: Sendable {
  package let head: HTTPRequest
  package let body: ByteBuffer
  let exchange: Exchange
}
