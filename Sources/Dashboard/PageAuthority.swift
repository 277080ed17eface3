/// The certificate of the authority that issued the page's certificate. A device that trusts it no longer warns.
package struct PageAuthority: Hashable, Sendable {
  package let pem: [UInt8]
  /// The SHA-256 fingerprint, as browsers show it.
  package let fingerprint: String

  package init(pem: [UInt8], fingerprint: String) {
    self.pem = pem
    self.fingerprint = fingerprint
  }
}
