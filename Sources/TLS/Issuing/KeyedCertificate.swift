/// A certificate with its private key, both in PEM form.
package struct KeyedCertificate: Hashable, Sendable {
  package let certificate: [UInt8]
  package let key: [UInt8]

  package init(certificate: [UInt8], key: [UInt8]) {
    self.certificate = certificate
    self.key = key
  }
}
