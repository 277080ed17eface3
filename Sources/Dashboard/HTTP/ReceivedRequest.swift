import HTTPTypes
import NIOCore

/// A request that has arrived whole. Bodies are small here, so that none is handed on in parts.
package struct ReceivedRequest: Sendable {
  package let head: HTTPRequest
  package let body: ByteBuffer
  let exchange: Exchange
}
