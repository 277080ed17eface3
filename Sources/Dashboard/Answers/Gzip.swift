import CZlib

/// gzip through zlib.
enum Gzip {
  /// Returns the compressed bytes, or `nil` if the compression failed.
  static func compressed(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var stream = z_stream()
    guard tachogram_gzip_begin(&stream) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
    stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
    stream.avail_in = UInt32(bytes.count)
    let isWhole = output.withUnsafeMutableBufferPointer { buffer in
      stream.next_out = buffer.baseAddress
      stream.avail_out = UInt32(buffer.count)
      return deflate(&stream, Z_FINISH) == Z_STREAM_END
    }
    return isWhole ? Array(output.prefix(Int(stream.total_out))) : nil
  }
}
