import CZlib

/// Streams of zlib (RFC 1950).
package enum Deflate {
  /// Returns one stream of several columns. Each column has its own Huffman tables, because the statistics of columns
  /// differ. Returns `nil` if there is no memory.
  package static func compressed(_ columns: [[UInt8]]) -> [UInt8]? {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard deflateInit2_(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    for (place, column) in columns.enumerated() {
      let flush = place == columns.count - 1 ? Z_FINISH : Z_BLOCK
      let isWritten = column.withUnsafeBufferPointer { input in
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        repeat {
          let (code, count) = buffer.withUnsafeMutableBufferPointer { room in
            stream.next_out = room.baseAddress
            stream.avail_out = UInt32(room.count)
            return (deflate(&stream, flush), room.count - Int(stream.avail_out))
          }
          // Z_BUF_ERROR reports that there was nothing to write.
          guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { return false }
          output += buffer[..<count]
        } while stream.avail_out == 0
        return true
      }
      guard isWritten else { return nil }
    }
    return output
  }

  /// Returns the content of one stream of at most `limit` bytes of content. `field` names it in errors.
  package static func expanded(_ bytes: [UInt8], limit: Int, field: String) throws(FormatFailure) -> [UInt8] {
    let failure = FormatFailure(field: field, offset: 0, reason: .notCompressed)
    var stream = z_stream()
    guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { throw failure }
    defer { inflateEnd(&stream) }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    let code: Int32 = bytes.withUnsafeBufferPointer { input in
      stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.avail_in = UInt32(input.count)
      while true {
        let (code, count) = buffer.withUnsafeMutableBufferPointer { room in
          stream.next_out = room.baseAddress
          stream.avail_out = UInt32(room.count)
          return (inflate(&stream, Z_NO_FLUSH), room.count - Int(stream.avail_out))
        }
        output += buffer[..<count]
        guard code == Z_OK, output.count <= limit else { return code }
      }
    }
    guard output.count <= limit else {
      throw FormatFailure(field: field, offset: 0, reason: .tooLarge(limit: limit))
    }
    guard code == Z_STREAM_END else { throw failure }
    let rest = Int(stream.avail_in)
    guard rest == 0 else { throw FormatFailure(field: field, offset: bytes.count - rest, reason: .trailingBytes(rest)) }
    return output
  }
}
