/// The TLS of a connection to a broker. The broker's certificate and name are verified.
package struct MQTTTLS: Hashable, Sendable {
  /// A PEM file of the certificates to trust in place of the system's.
  package var authorities: String?
  /// A PEM file with the certificate chain of this client; `nil` for none.
  package var certificate: String?
  /// A PEM file with the unencrypted key of `certificate`.
  package var key: String?
  /// Accepts any certificate of any host. Whoever is between this host and the broker can then read and change everything.
  package var acceptsAnyCertificate = false

  package init(authorities: String? = nil) { self.authorities = authorities }
}
