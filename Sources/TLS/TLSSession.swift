import COpenSSL

/// The server's end of one TLS connection, in memory: what comes from the network is put in, what is for the network taken out.
/// For one thread at a time.
final class TLSSession {
  enum Failure: Error {
    /// The peer broke the protocol. The alert for it is in the output.
    case broken
    /// The peer sent an HTTP request without TLS.
    case plainHTTP
  }

  enum Reading: Equatable {
    /// So many bytes were read.
    case bytes(Int)
    /// Nothing more before the peer sends more.
    case nothing
    /// The peer said that it sends no more.
    case closed
  }

  /// Owns both ends of the network.
  private let connection: OpaquePointer
  private let incoming: OpaquePointer
  private let outgoing: OpaquePointer

  /// `nil` without memory.
  init?(_ identity: TLSIdentity) {
    guard let connection = identity.connection() else { return nil }
    let (input, output) = (BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()))
    guard let incoming = input, let outgoing = output else {
      BIO_free(input)
      BIO_free(output)
      SSL_free(connection)
      return nil
    }
    SSL_set_bio(connection, incoming, outgoing)
    SSL_set_accept_state(connection)
    (self.connection, self.incoming, self.outgoing) = (connection, incoming, outgoing)
  }

  deinit {
    SSL_free(connection)
  }

  // MARK: - Network

  /// Puts in what came from the network.
  func receive(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    guard !bytes.isEmpty else { return }
    guard let count = Int32(exactly: bytes.count), BIO_write(incoming, bytes.baseAddress, count) == count else {
      throw .broken
    }
  }

  /// How many bytes are for the network.
  var outputCount: Int { BIO_ctrl_pending(outgoing) }

  /// Takes them out; returns how many it were.
  func readOutput(into bytes: UnsafeMutableRawBufferPointer) -> Int {
    guard !bytes.isEmpty else { return 0 }
    return max(0, Int(BIO_read(outgoing, bytes.baseAddress, Int32(clamping: bytes.count))))
  }

  // MARK: - Application

  /// Goes on with the handshake. Returns whether it is done.
  func shakeHands() throws(Failure) -> Bool {
    ERR_clear_error()
    let result = SSL_do_handshake(connection)
    if result == 1 { return true }
    guard SSL_get_error(connection, result) == SSL_ERROR_WANT_READ else {
      throw tachogram_tls_is_plain_http() == 1 ? .plainHTTP : .broken
    }
    return false
  }

  func read(into bytes: UnsafeMutableRawBufferPointer) throws(Failure) -> Reading {
    ERR_clear_error()
    let count = SSL_read(connection, bytes.baseAddress, Int32(clamping: bytes.count))
    if count > 0 { return .bytes(Int(count)) }
    switch SSL_get_error(connection, count) {
    case SSL_ERROR_WANT_READ: return .nothing
    case SSL_ERROR_ZERO_RETURN: return .closed
    default: throw .broken
    }
  }

  /// Encrypts `bytes`; the output holds them then.
  func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    guard !bytes.isEmpty else { return }
    ERR_clear_error()
    guard let count = Int32(exactly: bytes.count), SSL_write(connection, bytes.baseAddress, count) == count else {
      throw .broken
    }
  }

  /// Says that nothing more comes. The output holds the word.
  func close() {
    ERR_clear_error()
    _ = SSL_shutdown(connection)
    ERR_clear_error()
  }
}
