import NIOCore

/// Reads the received bytes of a connection line by line. Each byte is searched once, however few arrive at a time.
struct LineReader {
  /// The number of consumed bytes to keep, so that not every line moves the bytes that follow it.
  private static let mostDone = 16 * 1024

  private var buffer = ByteBuffer()
  /// The number of waiting bytes that are known to contain no line end.
  private var searched = 0

  /// The number of waiting bytes.
  var count: Int { buffer.readableBytes }

  /// Returns at most `count` of the first waiting bytes.
  func prefix(_ count: Int) -> ByteBufferView {
    buffer.readableBytesView.prefix(count)
  }

  mutating func append(_ bytes: ByteBuffer) {
    buffer.writeImmutableBuffer(bytes)
  }

  /// Returns a line without its CR LF, or `nil` if its end has not arrived. Throws `failure` if the line is longer than `limit`
  /// octets.
  mutating func readLine(limit: Int, orThrow failure: RequestFailure) throws(RequestFailure) -> [UInt8]? {
    let view = buffer.readableBytesView
    guard let end = view.dropFirst(searched).firstIndex(of: HTTPOctets.lineFeed) else {
      searched = count
      // The waiting bytes may include the CR of the line end.
      guard count <= limit + 1 else { throw failure }
      return nil
    }
    let length = end - view.startIndex
    guard length > 0 else { throw .lineEnding }
    guard length - 1 <= limit else { throw failure }
    let line = Array(view[..<(end - 1)])
    guard view[end - 1] == HTTPOctets.carriageReturn, !line.contains(HTTPOctets.carriageReturn) else {
      throw .lineEnding
    }
    skip(length + 1)
    return line
  }

  /// Returns `count` bytes, or `nil` if fewer are waiting.
  mutating func readBytes(_ count: Int) -> ByteBuffer? {
    guard let bytes = buffer.getSlice(at: buffer.readerIndex, length: count) else { return nil }
    skip(count)
    return bytes
  }

  private mutating func skip(_ count: Int) {
    searched = 0
    buffer.moveReaderIndex(forwardBy: count)
    if buffer.readableBytes == 0 {
      // A connection that waits for its next request holds no memory.
      buffer = ByteBuffer()
    } else if buffer.readerIndex > Self.mostDone {
      buffer.discardReadBytes()
    }
  }
}
