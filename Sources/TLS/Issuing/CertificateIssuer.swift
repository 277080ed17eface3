import COpenSSL
import TachogramCore

/// Issues certificates for a station in a local network: that of an authority, which a person can trust once on each device,
/// and those of the page, which are renewed. The authority is limited to names that end in `.local` and to private addresses
/// (RFC 5280, 4.2.1.10), so that a stolen key cannot impersonate a site on the internet.
package enum CertificateIssuer {
  /// How long an authority is valid.
  package static let authorityValidity: Duration = .seconds(3650 * 86_400)
  /// How long a certificate of the page is valid. Browsers refuse certificates that are valid for more than 398 days.
  package static let pageValidity: Duration = .seconds(397 * 86_400)
  /// How long before its issue a certificate is valid, for devices whose clocks are late.
  private static let leeway: Duration = .seconds(86_400)

  /// The names and addresses that an authority is limited to.
  private static let permitted = [
    "DNS:local", "DNS:localhost", "IP:10.0.0.0/255.0.0.0", "IP:172.16.0.0/255.240.0.0", "IP:192.168.0.0/255.255.0.0",
    "IP:169.254.0.0/255.255.0.0", "IP:100.64.0.0/255.192.0.0", "IP:127.0.0.0/255.0.0.0",
    "IP:::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "IP:fc00::/fe00::",
  ]

  /// Creates an authority. `name` is shown by the devices that trust it.
  package static func makeAuthority(_ name: String, at now: WallTime) throws(TLSFailure) -> KeyedCertificate {
    let key = try PrivateKey()
    let certificate = try IssuedCertificate(name, key, from: now, validity: authorityValidity, leeway: leeway)
    try certificate.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0", issuer: certificate)
    try certificate.add(NID_key_usage, "critical,keyCertSign,cRLSign", issuer: certificate)
    try certificate.add(
      NID_name_constraints, "critical," + permitted.map { "permitted;\($0)" }.joined(separator: ","),
      issuer: certificate)
    try certificate.add(NID_subject_key_identifier, "hash", issuer: certificate)
    try certificate.sign(issuer: certificate, key)
    return KeyedCertificate(certificate: try certificate.pem(), key: try key.pem())
  }

  /// Issues a certificate for the page with a new key.
  package static func issue(
    _ names: PageNames, by authority: KeyedCertificate, at now: WallTime
  ) throws(TLSFailure) -> KeyedCertificate {
    let issuer = try IssuedCertificate(pem: authority.certificate)
    let issuerKey = try PrivateKey(pem: authority.key)
    let key = try PrivateKey()
    let certificate = try IssuedCertificate(
      names.hosts.first ?? "Tachogram", key, from: now, validity: pageValidity, leeway: leeway)
    try certificate.add(NID_basic_constraints, "critical,CA:FALSE", issuer: issuer)
    try certificate.add(NID_key_usage, "critical,digitalSignature", issuer: issuer)
    try certificate.add(NID_ext_key_usage, "serverAuth", issuer: issuer)
    try certificate.add(NID_subject_alt_name, names.extensionText, issuer: issuer)
    try certificate.add(NID_subject_key_identifier, "hash", issuer: issuer)
    try certificate.add(NID_authority_key_identifier, "keyid", issuer: issuer)
    try certificate.sign(issuer: issuer, issuerKey)
    return KeyedCertificate(certificate: try certificate.pem(), key: try key.pem())
  }

  /// The SHA-256 fingerprint of a certificate, as browsers show it.
  package static func fingerprint(_ certificate: KeyedCertificate) throws(TLSFailure) -> String {
    try IssuedCertificate(pem: certificate.certificate).fingerprint()
  }

  /// Returns the certificate in PEM without anything that stands beside it in its file, such as its key.
  package static func certificateAlone(_ certificate: KeyedCertificate) throws(TLSFailure) -> [UInt8] {
    try IssuedCertificate(pem: certificate.certificate).pem()
  }

  /// The end of a certificate, and its alternative names in OpenSSL's text form.
  package static func facts(
    _ certificate: KeyedCertificate
  ) throws(TLSFailure) -> (expiry: WallTime, names: String) {
    let read = try IssuedCertificate(pem: certificate.certificate)
    return (try read.expiry(), read.names())
  }

  /// Whether the key belongs to the certificate.
  package static func isKeyOfCertificate(_ pair: KeyedCertificate) throws(TLSFailure) -> Bool {
    try IssuedCertificate(pem: pair.certificate).hasKey(PrivateKey(pem: pair.key))
  }

  /// Whether a certificate has its own key, and was signed by an authority.
  package static func isIssued(
    _ page: KeyedCertificate, by authority: KeyedCertificate
  ) throws(TLSFailure) -> Bool {
    let certificate = try IssuedCertificate(pem: page.certificate)
    let (key, signer) = (try PrivateKey(pem: page.key), try PrivateKey(pem: authority.key))
    return certificate.hasKey(key) && certificate.isSigned(by: signer)
  }
}
