import COpenSSL

/// A private key of OpenSSL.
final class PrivateKey {
  let pointer: OpaquePointer

  /// Creates a key on the curve P-256.
  init() throws(TLSFailure) {
    guard let key = tachogram_tls_make_key() else { throw IssuingFailure.last() }
    pointer = key
  }

  init(pem: [UInt8]) throws(TLSFailure) {
    let input = try MemoryBuffer(pem)
    guard let key = PEM_read_bio_PrivateKey(input.bio, nil, nil, nil) else { throw IssuingFailure.last() }
    pointer = key
  }

  deinit {
    EVP_PKEY_free(pointer)
  }

  func pem() throws(TLSFailure) -> [UInt8] {
    let output = try MemoryBuffer()
    guard PEM_write_bio_PrivateKey(output.bio, pointer, nil, nil, 0, nil, nil) == 1 else {
      throw IssuingFailure.last()
    }
    return output.bytes()
  }
}
