/// The reason why TLS failed.
package enum MQTTTLSFailure: Hashable, Sendable, CustomStringConvertible {
  case untrustedCertificate
  case wrongHostName
  /// The peer does not speak TLS.
  case notTLS
  case unusableCertificateFile
  /// The broker demands a certificate of the client, or refused the one that it received.
  case clientCertificateRefused
  /// Anything else, in OpenSSL's words.
  case other(String)

  package var description: String {
    switch self {
    case .untrustedCertificate: "the broker's certificate is not trusted; set the file of its certificate authority"
    case .wrongHostName: "the broker's certificate is for another host name"
    case .notTLS: "the broker does not use TLS on this port"
    case .unusableCertificateFile: "a file with certificates or a key cannot be used"
    case .clientCertificateRefused: "the broker refused the client certificate, or demands one"
    case .other(let reason): reason.isEmpty ? "the handshake failed" : reason
    }
  }

  /// The failure that libmosquitto's error log describes.
  init(log: [String]) {
    let text = log.joined(separator: "\n")
    switch true {
    case text.contains("host name verification failed"): self = .wrongHostName
    case text.contains("Unable to load"), text.contains("inconsistent"): self = .unusableCertificateFile
    case text.contains("certificate verify failed"): self = .untrustedCertificate
    case text.contains("wrong version number"), text.contains("packet length too long"): self = .notTLS
    case text.contains("alert certificate required"), text.contains("alert bad certificate"),
      text.contains("alert unknown ca"), text.contains("alert handshake failure"):
      self = .clientCertificateRefused
    default:
      let reason = log.last { $0.contains("error:") } ?? log.last ?? ""
      self = .other(reason.split(separator: ":").last.map(String.init) ?? "")
    }
  }
}
