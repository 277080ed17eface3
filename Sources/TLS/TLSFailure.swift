/// The reason why a certificate and its key cannot be used.
package enum TLSFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file cannot be read; `reason` in the system's words.
  case unreadable(path: String, reason: String)
  case notRegular(path: String)
  /// More than `TLSFile.limit` bytes.
  case tooLarge(path: String)
  case noCertificate(path: String)
  case noKey(path: String)
  /// The key is encrypted, and the station cannot ask for a password.
  case encryptedKey(path: String)
  case mismatch(certificate: String, key: String)
  /// The file contains the certificate of the key, but not as the first one.
  case notFirst(certificate: String)
  /// OpenSSL does not accept the file; `reason` is its message.
  case refused(path: String, reason: String)
  /// OpenSSL cannot be set up, for example because memory is exhausted.
  case unavailable(reason: String)

  package var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .notRegular(let path): "\(path) is not a regular file"
    case .tooLarge(let path): "\(path) is larger than a certificate or key can be (\(TLSFile.limit / 1024) KiB)"
    case .noCertificate(let path):
      "\(path) has no certificate; it is a PEM file that begins with the station's own, followed by those of the chain"
    case .noKey(let path): "\(path) has no private key; it is a PEM file"
    case .encryptedKey(let path):
      "the key in \(path) is encrypted; write it without a password, because the station cannot ask for one"
        + " (openssl pkey -in \(path) -out FILE) and let only the station read it"
    case .mismatch(let certificate, let key): "the key in \(key) is not that of the certificate in \(certificate)"
    case .notFirst(let certificate):
      "\(certificate) begins with another certificate than that of the key; put the station's own first and the chain"
        + " behind it"
    case .refused(let path, let reason): "\(path) cannot be used: \(reason)"
    case .unavailable(let reason): "TLS cannot be set up: \(reason)"
    }
  }
}
