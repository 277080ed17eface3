import Access
import Dashboard
import FileSystem
import TLS
import TachogramCore

/// Opens the page of a station to the local network, and closes it again.
package struct PageOpening {
  /// The way to an open page.
  package struct Opened: Hashable, Sendable {
    /// The addresses of the page, the one for the login first.
    package let addresses: [String]
    /// The address that logs a browser in once.
    package let login: String
    package let token: String
    /// The SHA-256 fingerprint of the page's certificate, or `nil` if the configuration names another certificate.
    package let fingerprint: String?
    /// The SHA-256 fingerprint of the authority that issued it.
    package let authorityFingerprint: String?
    package let port: Int
    /// Whether the port is only that of this command, so that the station has to be started with it as well.
    package let isPortOfCommand: Bool
    /// Whether the station has to be restarted.
    package let needsRestart: Bool
  }

  package struct Closed: Hashable, Sendable {
    package let wasOpen: Bool
    /// The location of a key that keeps the page open, or `nil`.
    package let openKey: String?
    /// Whether the page is served with TLS nevertheless.
    package let isSecure: Bool
  }

  /// The reason why the page cannot be opened.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    package let description: String
  }

  /// How long a login code is valid.
  package static let codeValidity: Duration = .seconds(600)

  private let database: String
  private let loader: ConfigurationLoader
  private let network: LocalNetwork
  private let time: any TimeSourceProtocol
  private let file: OpenFile
  private let certificate: StationCertificate

  /// `loader` reads the configuration of the station with `database`.
  package init(
    database: String, loader: ConfigurationLoader, network: LocalNetwork = .current(),
    time: any TimeSourceProtocol = SystemTimeSource(),
  ) {
    self.database = database
    self.loader = loader
    self.network = network
    self.time = time
    file = OpenFile(database: database)
    certificate = StationCertificate(database: database)
  }

  // MARK: - Opening

  /// Opens the page. `scope` is that of the browser that logs in. `hasHostName` is whether mDNS finds this machine by its name.
  package func open(_ scope: TokenScope, hasHostName: Bool) throws -> Opened {
    let change = try certificate.renewIfNeeded(for: network, at: time.now().wall)
    let isNew = try file.write(host: ListeningHost.all, certificate: certificate.path)
    let (configuration, token, code): (StationConfiguration, String, String)
    do {
      configuration = try loader.load()
      try check(configuration)
      token = try StationToken(database: database).readOrMake()
      code = try LoginCodes(database: database).make(scope, validFor: Self.codeValidity, at: time.now().monotonic)
    } catch {
      if isNew { _ = try? file.remove() }
      throw error
    }
    let port = configuration.http.port
    let hosts = (hasHostName ? [network.host] : []) + network.addresses.map { $0.contains(":") ? "[\($0)]" : $0 }
    let addresses = (hosts.isEmpty ? [network.host] : hosts).map { "https://\($0):\(port)" }
    let isOwn = configuration.http.tls?.certificate == certificate.path
    return Opened(
      addresses: addresses, login: "\(addresses[0])/#login=\(code)", token: token,
      fingerprint: isOwn ? try fingerprint() : nil,
      authorityFingerprint: isOwn ? try certificate.publicAuthority()?.fingerprint : nil, port: port,
      isPortOfCommand: try loader.values().first { $0.setting.path == "http.port" }?.origin == .flag,
      // The running station reads a renewed certificate by itself.
      needsRestart: isNew || change == .newAuthority)
  }

  private func fingerprint() throws -> String? {
    try AtomicFile.read(certificate.path, limit: 256 * 1024)
      .map { try CertificateIssuer.fingerprint(KeyedCertificate(certificate: $0, key: $0)) }
  }

  /// Throws an error if another source of the configuration keeps the page closed, or without TLS.
  private func check(_ configuration: StationConfiguration) throws {
    if configuration.http.isLoopback {
      throw Failure(
        description: "\(try place("http.host")) is \(configuration.http.host), which keeps the page on this machine; "
          + "remove it there, and open the page again")
    }
    if configuration.http.port == 0 {
      throw Failure(
        description:
          "\(try place("http.port")) is 0, so the port changes with each start; name one, and open the page again")
    }
  }

  private func place(_ path: String) throws -> String {
    try loader.values().first { $0.setting.path == path }.map(ConfigurationLoader.place) ?? path
  }

  // MARK: - Closing

  /// Closes the page. Login codes become invalid. Tokens and certificates are kept for the next time, unless `forgets`. If the
  /// configuration is wrong without the keys that `open` wrote, nothing is changed.
  package func close(forgets: Bool) throws -> Closed {
    let before = try AtomicFile.read(file.path)
    let wasOpen = try file.remove()
    let configuration: StationConfiguration
    do {
      configuration = try loader.load()
    } catch {
      if let before { try AtomicFile.write(before, to: file.path) }
      throw error
    }
    try LoginCodes(database: database).removeAll()
    if forgets {
      try TokenStore(database: database).revokeAll()
      try StationToken(database: database).make()
      for path in [certificate.path, certificate.authorityPath] { try AtomicFile.remove(path) }
    }
    return Closed(
      wasOpen: wasOpen, openKey: configuration.http.isLoopback ? nil : try place("http.host"),
      isSecure: configuration.http.tls != nil)
  }
}
