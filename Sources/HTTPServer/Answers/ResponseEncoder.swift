import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Encodes one answer in HTTP/1.1 (RFC 9112, 6.3 and 7). For an HTTP/1.0 client chunks are not used: an answer without a length
/// ends with the connection.
struct ResponseEncoder {
  private enum Framing {
    /// The answer has no body.
    case none
    /// The number of remaining bytes.
    case length(Int)
    case chunked
    case connection
  }

  private let exchange: Exchange
  private var framing = Framing.none
  /// Whether another request may follow.
  private(set) var keepsAlive: Bool

  init(_ exchange: Exchange) {
    self.exchange = exchange
    keepsAlive = exchange.keepsAlive
  }

  /// Returns the bytes of the next part.
  mutating func encode(_ part: HTTPResponsePart) -> ByteBuffer {
    switch part {
    case .head(let head): encode(head)
    case .body(let bytes): encode(bytes)
    case .end: encodeEnd()
    }
  }

  private mutating func encode(_ head: HTTPResponse) -> ByteBuffer {
    let length = head.headerFields[.contentLength].flatMap { Int($0) }
    let isBare = [.noContent, .notModified].contains(head.status) || head.status.kind == .informational
    if isBare || exchange.isHead {
      framing = .none
    } else if let length {
      framing = .length(length)
    } else if exchange.version == .http11 {
      framing = .chunked
    } else {
      framing = .connection
      keepsAlive = false
    }
    if head.headerFields[.connection]?.lowercased() == "close" { keepsAlive = false }
    var bytes = ByteBuffer(string: "HTTP/1.1 \(head.status.code) \(head.status.reasonPhrase)\r\n")
    for field in head.headerFields where !Self.isFraming(field.name) {
      bytes.writeString("\(field.name.rawName): \(field.value)\r\n")
    }
    if let length, !isBare { bytes.writeString("Content-Length: \(length)\r\n") }
    if case .chunked = framing { bytes.writeString("Transfer-Encoding: chunked\r\n") }
    if !keepsAlive {
      bytes.writeString("Connection: close\r\n")
    } else if exchange.version == .http10 {
      bytes.writeString("Connection: keep-alive\r\n")
    }
    bytes.writeString("\r\n")
    return bytes
  }

  private mutating func encode(_ bytes: ByteBuffer) -> ByteBuffer {
    switch framing {
    case .none: return ByteBuffer()
    case .connection: return bytes
    case .length(let left):
      framing = .length(left - bytes.readableBytes)
      return bytes
    case .chunked:
      // A chunk without bytes would be the last one.
      guard bytes.readableBytes > 0 else { return ByteBuffer() }
      var chunk = ByteBuffer(string: "\(String(bytes.readableBytes, radix: 16))\r\n")
      chunk.writeImmutableBuffer(bytes)
      chunk.writeString("\r\n")
      return chunk
    }
  }

  private mutating func encodeEnd() -> ByteBuffer {
    switch framing {
    case .chunked: return ByteBuffer(string: "0\r\n\r\n")
    case .length(let left):
      // Otherwise the client would read the next answer as the rest of this one.
      if left != 0 { keepsAlive = false }
    case .none, .connection: break
    }
    return ByteBuffer()
  }

  /// Whether a field is written by the encoder itself.
  private static func isFraming(_ name: HTTPField.Name) -> Bool {
    [.contentLength, .transferEncoding, .connection].contains(name)
  }
}
