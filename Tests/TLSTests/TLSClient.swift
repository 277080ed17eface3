import COpenSSL
import NIOCore
import Testing

/// The browser's end of TLS, in memory. It takes only the certificate that it is told to trust.
final class TLSClient {
  private let context: OpaquePointer
  private let connection: OpaquePointer
  private let (incoming, outgoing): (OpaquePointer, OpaquePointer)
  /// Whether the handshake is done.
  private(set) var isOpen = false
  /// Whether the server said that it sends no more.
  private(set) var isToldOfTheEnd = false
  private(set) var isBroken = false
  /// What came from the server's application.
  private(set) var received: [UInt8] = []

  /// `version`: the newest that it speaks, as `TLS1_1_VERSION`.
  init(trusting certificate: String, version: Int32 = TLS1_3_VERSION) throws {
    context = try #require(SSL_CTX_new(TLS_client_method()))
    try #require(SSL_CTX_load_verify_file(context, certificate) == 1)
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    // Old protocols are below what the system's own policy allows a client.
    SSL_CTX_set_security_level(context, version < TLS1_2_VERSION ? 0 : 2)
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(min(version, TLS1_2_VERSION)), nil)
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(version), nil)
    connection = try #require(SSL_new(context))
    incoming = try #require(BIO_new(BIO_s_mem()))
    outgoing = try #require(BIO_new(BIO_s_mem()))
    SSL_set_bio(connection, incoming, outgoing)
    try #require(SSL_set1_host(connection, MadeCertificate.host) == 1)
    SSL_set_connect_state(connection)
    goOn()
  }

  deinit {
    SSL_free(connection)
    SSL_CTX_free(context)
  }

  /// As in `TLSv1.3`.
  var version: String { String(cString: SSL_get_version(connection)) }

  /// Takes what came from the network.
  func receive(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { _ = BIO_write(incoming, $0.baseAddress, Int32($0.count)) }
    goOn()
  }

  /// What is for the network.
  func output() -> [UInt8] {
    let count = BIO_ctrl_pending(outgoing)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = count > 0 ? Int(BIO_read(outgoing, buffer.baseAddress, Int32(count))) : 0
    }
  }

  func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      try #require(SSL_write(connection, bytes.baseAddress, Int32(bytes.count)) == bytes.count)
    }
  }

  /// Says that nothing more comes.
  func close() { SSL_shutdown(connection) }

  private func goOn() {
    ERR_clear_error()
    if !isOpen {
      let result = SSL_do_handshake(connection)
      isOpen = result == 1
      if result != 1, SSL_get_error(connection, result) != SSL_ERROR_WANT_READ { isBroken = true }
    }
    guard isOpen, !isBroken else { return }
    var buffer = [UInt8](repeating: 0, count: 20_000)
    while true {
      let count = SSL_read(connection, &buffer, Int32(buffer.count))
      if count > 0 {
        received += buffer.prefix(Int(count))
        continue
      }
      switch SSL_get_error(connection, count) {
      case SSL_ERROR_WANT_READ: return
      case SSL_ERROR_ZERO_RETURN: isToldOfTheEnd = true
      default: isBroken = true
      }
      return
    }
  }
}
