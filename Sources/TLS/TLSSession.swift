import COpenSSL

/// The server's end of one TLS connection, in memory. The owner passes it the bytes from the network, and sends its output. Not
/// thread-safe.
final class TLSSession {
  enum Failure: Error {
    /// The peer violated the protocol. The output contains the alert.
    case broken
    /// The peer sent an HTTP request without TLS.
    case plainHTTP
  }

  enum Reading: Equatable {
    /// So many bytes were read.
    case bytes(Int)
    /// Nothing can be read until the peer sends more.
    case nothing
    /// The peer announced that it sends nothing more.
    case closed
  }

  /// Owns both ends of the network.
  private let connection: OpaquePointer
  private let incoming: OpaquePointer
  private let outgoing: OpaquePointer

  /// Creates a session, or returns `nil` if memory is exhausted.
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

  /// Appends bytes received from the network.
  func receive(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    guard !bytes.isEmpty else { return }
    guard let count = Int32(exactly: bytes.count), BIO_write(incoming, bytes.baseAddress, count) == count else {
      throw .broken
    }
  }

  /// The number of bytes to send to the network.
  var outputCount: Int { BIO_ctrl_pending(outgoing) }

  /// Moves the output into `bytes`. Returns the number of bytes.
  func readOutput(into bytes: UnsafeMutableRawBufferPointer) -> Int {
    guard !bytes.isEmpty else { return 0 }
    return max(0, Int(BIO_read(outgoing, bytes.baseAddress, Int32(clamping: bytes.count))))
  }

  // MARK: - Application

  /// Continues the handshake. Returns whether it is complete.
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

  /// Encrypts `bytes` and appends them to the output.
  func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    guard !bytes.isEmpty else { return }
    ERR_clear_error()
    guard let count = Int32(exactly: bytes.count), SSL_write(connection, bytes.baseAddress, count) == count else {
      throw .broken
    }
  }

  /// Appends the alert to the output that announces the end of the data.
  func close() {
    ERR_clear_error()
    _ = SSL_shutdown(connection)
    ERR_clear_error()
  }
}
