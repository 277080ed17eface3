import NIOCore

/// The bytes of a connection that wait to be read, line by line. Each byte is looked at once, however few come at a time.
struct LineReader {
  /// Bytes that are done with and kept, so that not every line moves all that follow it.
  private static let mostDone = 16 * 1024

  private var buffer = ByteBuffer()
  /// How many of the waiting bytes are known to have no end of a line.
  private var searched = 0

  /// Bytes that wait.
  var count: Int { buffer.readableBytes }

  /// The first ones of them, at most `count`.
  func prefix(_ count: Int) -> ByteBufferView {
    buffer.readableBytesView.prefix(count)
  }

  mutating func append(_ bytes: ByteBuffer) {
    buffer.writeImmutableBuffer(bytes)
  }

  /// A line without its CR LF; `nil` before its end has come. One of more than `limit` octets throws `failure`.
  mutating func readLine(limit: Int, orThrow failure: RequestFailure) throws(RequestFailure) -> [UInt8]? {
    let view = buffer.readableBytesView
    guard let end = view.dropFirst(searched).firstIndex(of: HTTPOctets.lineFeed) else {
      searched = count
      // The CR of the end may be there already.
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

  /// So many bytes; `nil` where fewer wait.
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
