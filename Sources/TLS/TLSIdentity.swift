import COpenSSL
import TachogramCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The station's identity for browsers: its certificate, the certificate chain and the private key.
package final class TLSIdentity: Sendable {
  /// Immutable after initialisation; OpenSSL counts its references.
  private nonisolated(unsafe) let context: OpaquePointer
  /// When the certificate begins to be valid.
  package let start: WallTime
  /// When the certificate ends.
  package let expiry: WallTime
  /// Whether each certificate of the chain issued the one before it, as TLS has them sent (RFC 8446, 4.4.2).
  package let isChainInOrder: Bool

  /// Reads both files, PEM each; they may be one. The certificate file begins with the station's own, followed by the chain.
  package init(certificate: String, key: String) throws(TLSFailure) {
    ERR_clear_error()
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw .unavailable(reason: Self.reason()) }
    do throws(TLSFailure) {
      guard tachogram_tls_restrict(context) == 1 else { throw .unavailable(reason: Self.reason()) }
      let certificates = try Self.useCertificates(of: certificate, context)
      (start, expiry, isChainInOrder) = (certificates.start, certificates.expiry, certificates.isInOrder)
      try Self.useKey(of: key, certificate, context)
      self.context = context
    } catch {
      SSL_CTX_free(context)
      throw error
    }
  }

  deinit {
    SSL_CTX_free(context)
  }

  /// Returns a new connection, which the caller frees with `SSL_free`, or `nil` if memory is exhausted.
  func connection() -> OpaquePointer? { SSL_new(context) }

  // MARK: - Reading

  /// The properties of the certificates in a file.
  private struct Certificates {
    let start: WallTime
    let expiry: WallTime
    let isInOrder: Bool
  }

  private static func useCertificates(of path: String, _ context: OpaquePointer) throws(TLSFailure) -> Certificates {
    let source = try Source(TLSFile.read(path))
    guard let own = PEM_read_bio_X509(source.bio, nil, noPassword, nil) else {
      throw tachogram_tls_is_end_of_pem() == 1 ? .noCertificate(path: path) : .refused(path: path, reason: reason())
    }
    defer { X509_free(own) }
    guard SSL_CTX_use_certificate(context, own) == 1 else { throw .refused(path: path, reason: reason()) }
    // The context retains all certificates, so each is valid for as long as the context.
    var (last, isInOrder) = (own, true)
    while let next = PEM_read_bio_X509(source.bio, nil, noPassword, nil) {
      defer { X509_free(next) }
      guard tachogram_tls_add_to_chain(context, next) == 1 else { throw .refused(path: path, reason: reason()) }
      if X509_check_issued(next, last) != X509_V_OK { isInOrder = false }
      last = next
    }
    guard tachogram_tls_is_end_of_pem() == 1 else { throw .refused(path: path, reason: reason()) }
    ERR_clear_error()
    guard let start = time(X509_get0_notBefore(own)) else {
      throw .refused(path: path, reason: "its start is not a time")
    }
    guard let expiry = time(X509_get0_notAfter(own)) else {
      throw .refused(path: path, reason: "its end is not a time")
    }
    return Certificates(start: start, expiry: expiry, isInOrder: isInOrder)
  }

  private static func time(_ time: UnsafePointer<ASN1_TIME>?) -> WallTime? {
    guard let time else { return nil }
    let seconds = tachogram_tls_seconds(time)
    let (microseconds, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000)
    return seconds != .min && !isTooFar ? WallTime(microseconds: microseconds) : nil
  }

  private static func useKey(
    of path: String, _ certificate: String, _ context: OpaquePointer
  ) throws(TLSFailure) {
    let source = try Source(TLSFile.read(path))
    guard let key = PEM_read_bio_PrivateKey(source.bio, nil, noPassword, nil) else {
      if source.mentions("ENCRYPTED") { throw .encryptedKey(path: path) }
      throw source.mentions("PRIVATE KEY") ? .refused(path: path, reason: reason()) : .noKey(path: path)
    }
    defer { EVP_PKEY_free(key) }
    // Checked here, because `SSL_CTX_use_PrivateKey` compares a key of another type with no certificate, and drops a
    // certificate that does not match.
    guard let own = SSL_CTX_get0_certificate(context), X509_check_private_key(own, key) == 1 else {
      throw tachogram_tls_chain_has(context, key) == 1
        ? .notFirst(certificate: certificate) : .mismatch(certificate: certificate, key: path)
    }
    guard SSL_CTX_use_PrivateKey(context, key) == 1 else { throw .refused(path: path, reason: reason()) }
  }

  /// The last error of this thread, in OpenSSL's words.
  private static func reason() -> String {
    let error = ERR_peek_last_error()
    ERR_clear_error()
    return ERR_reason_error_string(error).map { String(cString: $0) } ?? "OpenSSL does not say why"
  }

  /// The bytes of a file, for OpenSSL. They are wiped on deinitialisation.
  private final class Source {
    let bio: OpaquePointer
    private let bytes: UnsafeMutableRawBufferPointer

    init(_ content: consuming [UInt8]) throws(TLSFailure) {
      bytes = .allocate(byteCount: max(content.count, 1), alignment: 1)
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      bytes.copyBytes(from: content)
      content.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
      guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else {
        OPENSSL_cleanse(bytes.baseAddress, bytes.count)
        bytes.deallocate()
        throw .unavailable(reason: reason())
      }
      self.bio = bio
    }

    func mentions(_ word: String) -> Bool {
      String(decoding: bytes, as: UTF8.self).contains(word)
    }

    deinit {
      BIO_free(bio)
      OPENSSL_cleanse(bytes.baseAddress, bytes.count)
      bytes.deallocate()
    }
  }
}

/// Refuses to provide a password, because the station cannot ask for one.
private func noPassword(
  _ password: UnsafeMutablePointer<CChar>?, _ size: Int32, _ isWriting: Int32, _ context: UnsafeMutableRawPointer?
) -> Int32 { -1 }
