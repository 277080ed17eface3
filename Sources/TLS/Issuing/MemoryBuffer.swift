import COpenSSL

/// A buffer in memory that OpenSSL reads or writes.
final class MemoryBuffer {
  let bio: OpaquePointer

  init(_ bytes: [UInt8] = []) throws(TLSFailure) {
    guard let bio = BIO_new(BIO_s_mem()) else { throw IssuingFailure.last() }
    self.bio = bio
    guard bytes.isEmpty || BIO_write(bio, bytes, Int32(clamping: bytes.count)) == bytes.count else {
      throw IssuingFailure.last()
    }
  }

  deinit {
    BIO_free(bio)
  }

  func bytes() -> [UInt8] {
    var start: UnsafeMutablePointer<CChar>?
    let count = tachogram_tls_bytes(bio, &start)
    guard let start, count > 0 else { return [] }
    return UnsafeBufferPointer(start: start, count: count).map(UInt8.init(bitPattern:))
  }
}
