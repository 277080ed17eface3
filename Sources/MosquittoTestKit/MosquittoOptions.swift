/// What a broker of a test demands of its clients.
package struct MosquittoOptions: Sendable {
  /// The users and their passwords; empty if everybody may connect.
  package var users: [String: String] = [:]
  /// What users may do, as in mosquitto's `acl_file`; `nil` if everybody may read and write everything.
  package var rights: String?
  /// The certificates of the broker; `nil` for a listener without TLS.
  package var tls: TestCertificates?
  /// The certificate of `tls` that the broker shows: `broker`, or `elsewhere` for another host.
  package var certificate = "broker"
  /// Whether clients need a certificate of the authority of `tls`.
  package var requiresClientCertificate = false

  package init() {}
}
