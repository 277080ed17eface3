import Access
import Dashboard
import FileSystem
import Logging
import TLS
import TachogramCore

/// The certificate that a station makes for its page, and the authority that issues it, in the folder `certificates` beside the
/// database. Each file has a certificate and its key, so that a power cut cannot separate them.
package struct StationCertificate: Sendable {
  /// A change of the files.
  package enum Change: Hashable, Sendable {
    case none
    case renewed
    /// Devices that trusted the previous authority have to trust the new one.
    case newAuthority
  }

  /// The certificate of the page is renewed when less than this is left.
  private static let notice: Duration = .seconds(30 * 86_400)

  /// The file with the page's certificate and key, for `http.certificate` and `http.key`.
  package let path: String
  /// The file with the authority's certificate and key.
  package let authorityPath: String

  /// Creates the paths beside `database`.
  package init(database: String) {
    path = AccessFolder.path(beside: database, "certificates/page.pem")
    authorityPath = AccessFolder.path(beside: database, "certificates/authority.pem")
  }

  /// Returns the certificate of a station, if its configuration serves the page with it.
  package static func own(_ configuration: StationConfiguration, database: String) -> StationCertificate? {
    let own = StationCertificate(database: database)
    return configuration.http.tls?.certificate == own.path ? own : nil
  }

  /// Issues certificates as `renewIfNeeded`, and logs what it did.
  package func renew(_ logger: Logger) {
    do {
      switch try renewIfNeeded(for: .current(), at: SystemTimeSource().now().wall) {
      case .none: break
      case .renewed: logger.notice("the page's certificate was renewed")
      case .newAuthority:
        logger.notice("the page's certificate has a new authority; devices that trusted the earlier one warn again")
      }
    } catch {
      logger.error("the page's certificate cannot be renewed", metadata: ["problem": "\(error)"])
    }
  }

  /// Returns the authority, or `nil` if there is none.
  package func authority() throws -> KeyedCertificate? { try Self.read(authorityPath) }

  /// Returns what a device needs to trust the authority, without its key, or `nil` if there is none.
  package func publicAuthority() throws -> PageAuthority? {
    try authority().map { authority in
      PageAuthority(
        pem: try CertificateIssuer.certificateAlone(authority),
        fingerprint: try CertificateIssuer.fingerprint(authority))
    }
  }

  /// Issues certificates where there are none, where one ends soon, and for a station whose names or addresses have changed.
  package func renewIfNeeded(for network: LocalNetwork, at now: WallTime) throws -> Change {
    if let folder = AtomicFile.folder(of: path) { try AtomicFile.makeFolder(folder) }
    var change = Change.none
    var authority = try usableAuthority(at: now)
    if authority == nil {
      change = .newAuthority
      let made = try CertificateIssuer.makeAuthority("Tachogram \(network.host)", at: now)
      try AtomicFile.write(made.certificate + made.key, to: authorityPath)
      authority = made
    }
    guard let authority else { return change }
    if change == .none, try isCurrent(network, authority, at: now) { return .none }
    let page = try CertificateIssuer.issue(network.pageNames, by: authority, at: now)
    try AtomicFile.write(page.certificate + page.key, to: path)
    return change == .none ? .renewed : change
  }

  /// Returns the authority if it can issue a certificate for the whole of its validity.
  private func usableAuthority(at now: WallTime) throws -> KeyedCertificate? {
    guard let authority = try authority(), let facts = try? CertificateIssuer.facts(authority),
      (try? CertificateIssuer.isKeyOfCertificate(authority)) == true
    else { return nil }
    return now.advanced(by: CertificateIssuer.pageValidity) < facts.expiry ? authority : nil
  }

  private func isCurrent(
    _ network: LocalNetwork, _ authority: KeyedCertificate, at now: WallTime
  ) throws -> Bool {
    guard let page = try Self.read(path), let facts = try? CertificateIssuer.facts(page),
      (try? CertificateIssuer.isIssued(page, by: authority)) == true
    else { return false }
    return now.advanced(by: Self.notice) < facts.expiry && Self.names(facts.names) == Self.names(network.pageNames)
  }

  private static func read(_ path: String) throws -> KeyedCertificate? {
    try AtomicFile.read(path, limit: 256 * 1024).map { KeyedCertificate(certificate: $0, key: $0) }
  }

  /// The names and addresses of OpenSSL's text form, addresses as their bytes.
  private static func names(_ text: String) -> Set<String> {
    Set(
      text.split(separator: ",").map { part in
        let name = part.drop { $0 == " " }
        let prefix = "IP Address:"
        return name.hasPrefix(prefix) ? address(String(name.dropFirst(prefix.count))) : String(name)
      })
  }

  private static func names(_ names: PageNames) -> Set<String> {
    Set(names.hosts.map { "DNS:\($0)" } + names.addresses.map(address))
  }

  private static func address(_ text: String) -> String {
    LocalNetwork.bytes(of: text).map { "\($0)" } ?? text
  }
}
