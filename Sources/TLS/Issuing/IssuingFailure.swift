import COpenSSL

/// Errors of OpenSSL while certificates are issued.
enum IssuingFailure {
  /// The last error of this thread, in OpenSSL's words.
  static func last() -> TLSFailure {
    let error = ERR_peek_last_error()
    ERR_clear_error()
    return .unavailable(
      reason: ERR_reason_error_string(error).map { String(cString: $0) } ?? "OpenSSL reports no reason")
  }
}
