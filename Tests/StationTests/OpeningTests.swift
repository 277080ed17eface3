import Access
import Dashboard
import FileSystem
import Foundation
import TLS
import TachogramCore
import TachogramTestKit
import Testing

@testable import Station

@Suite("Page opened to the network")
struct OpeningTests {
  private static let network = LocalNetwork(host: "pi.local", addresses: ["192.168.1.5", "fd00::5"])

  private final class Setup {
    let folder: TemporaryFolder
    let time = ManualTimeSource()
    var database: String { folder.path("t.sqlite") }

    init() throws {
      folder = try TemporaryFolder()
    }

    func loader(_ file: String? = nil) throws -> ConfigurationLoader {
      let path = folder.path("config.yaml")
      if let file { try file.write(toFile: path, atomically: true, encoding: .utf8) }
      return ConfigurationLoader(file: file == nil ? nil : path, environment: [:], defaultDatabase: database)
    }

    func opening(_ file: String? = nil, _ network: LocalNetwork = OpeningTests.network) throws -> PageOpening {
      PageOpening(database: database, loader: try loader(file), network: network, time: time)
    }
  }

  @Test func testAuthority_IsGivenWithoutItsKey() throws {
    let folder = try TemporaryFolder()
    let certificate = StationCertificate(database: folder.path("tachogram.sqlite"))
    #expect(try certificate.publicAuthority() == nil)
    let network = LocalNetwork(host: "pi.local", addresses: ["192.168.1.5"])
    _ = try certificate.renewIfNeeded(for: network, at: WallTime(microseconds: 1_795_000_000_000_000))
    let authority = try #require(try certificate.publicAuthority())
    let text = String(decoding: authority.pem, as: UTF8.self)
    #expect(text.hasPrefix("-----BEGIN CERTIFICATE-----") && !text.contains("PRIVATE"))
    let stored = try String(contentsOfFile: certificate.authorityPath, encoding: .utf8)
    #expect(stored.contains("PRIVATE") && stored.contains(text))
    #expect(authority.fingerprint.split(separator: ":").count == 32)
  }

  @Test func testOpening_ServesThePageWithTLSAndLogsInOnce() throws {
    let setup = try Setup()
    let opened = try setup.opening().open(.read, hasHostName: true)
    #expect(opened.addresses == ["https://pi.local:8620", "https://192.168.1.5:8620", "https://[fd00::5]:8620"])
    #expect(opened.needsRestart)
    let http = try setup.loader().load().http
    #expect(!http.isLoopback && http.tls?.certificate == setup.folder.path("certificates/page.pem"))
    #expect(try StationToken(database: setup.database).read() == opened.token)
    let code = try #require(opened.login.split(separator: "=").last)
    #expect(opened.login == "https://pi.local:8620/#login=\(code)")
    let book = TokenBook(database: setup.database, time: setup.time)
    #expect(try book.redeem(String(code), name: ChosenName("Phone"))?.record.scope == .read)
    _ = try TLSIdentity(
      certificate: setup.folder.path("certificates/page.pem"), key: setup.folder.path("certificates/page.pem"))
    // Once more, for another phone.
    let again = try setup.opening().open(.full, hasHostName: false)
    #expect(!again.needsRestart && again.fingerprint == opened.fingerprint && again.login != opened.login)
    #expect(again.addresses == ["https://192.168.1.5:8620", "https://[fd00::5]:8620"])
  }

  @Test func testClosing_UndoesIt() throws {
    let setup = try Setup()
    #expect(try !setup.opening().close(forgets: false).wasOpen)
    let opened = try setup.opening().open(.full, hasHostName: true)
    let closed = try setup.opening().close(forgets: false)
    #expect(closed.wasOpen && closed.openKey == nil)
    #expect(try setup.loader().load().http.isLoopback)
    let code = try #require(opened.login.split(separator: "=").last)
    #expect(
      try LoginCodes(database: setup.database).redeem(String(code), at: setup.time.now().monotonic, { $0 }) == nil)
    // Devices that trust the authority trust it the next time.
    #expect(try setup.opening().open(.full, hasHostName: true).fingerprint == opened.fingerprint)
    _ = try setup.opening().close(forgets: true)
    #expect(try StationToken(database: setup.database).read() != opened.token)
    #expect(try setup.opening().open(.full, hasHostName: true).fingerprint != opened.fingerprint)
  }

  /// What a person wrote decides; the page is never open without saying so, nor closed.
  @Test func testConfigurationFile_TakesPrecedence() throws {
    let setup = try Setup()
    let file = "http:\n  host: 127.0.0.1\n"
    let failure = #expect(throws: PageOpening.Failure.self) { try setup.opening(file).open(.full, hasHostName: true) }
    #expect(failure?.description.contains("config.yaml:2: http.host is 127.0.0.1") == true)
    #expect(try AtomicFile.read(setup.folder.path("open.yaml")) == nil)
    let open = "http:\n  host: 0.0.0.0\n  port: 9000\n"
    #expect(try setup.opening(open).open(.full, hasHostName: true).addresses.first == "https://pi.local:9000")
    let closed = try setup.opening(open).close(forgets: false)
    #expect(closed.wasOpen && !closed.isSecure && closed.openKey?.hasSuffix("config.yaml:2: http.host") == true)
    let anyPort = #expect(throws: PageOpening.Failure.self) {
      try setup.opening("http:\n  port: 0\n").open(.full, hasHostName: true)
    }
    #expect(anyPort?.description.contains("http.port is 0") == true)
  }

  /// Its own token is damaged, or the folder of the codes is a file.
  @Test(arguments: ["token", "access"])
  func testOpeningThatFails_LeavesThePageClosed(damaged: String) throws {
    let setup = try Setup()
    try "short".write(toFile: setup.folder.path(damaged), atomically: true, encoding: .utf8)
    #expect(throws: (any Error).self) { try setup.opening().open(.full, hasHostName: true) }
    #expect(try setup.loader().load().http.isLoopback)
    try FileManager.default.removeItem(atPath: setup.folder.path(damaged))
    #expect(try setup.opening().open(.full, hasHostName: true).needsRestart)
  }

  /// Without the key that `open` wrote, the station would not start.
  @Test func testClosingWithAWrongConfiguration_ChangesNothing() throws {
    let (setup, file) = (try Setup(), "http: {certificate: cert.pem}")
    let opened = try setup.opening().open(.full, hasHostName: true)
    let before = try setup.loader().load().http
    #expect(throws: (any Error).self) { try setup.opening(file).close(forgets: true) }
    #expect(try setup.loader().load().http == before)
    #expect(try StationToken(database: setup.database).read() == opened.token)
    #expect(try setup.opening().close(forgets: false).wasOpen)
  }

  @Test func testOtherKeysInItsFile_AreRefused() throws {
    let setup = try Setup()
    try "alerts:\n  hook: /bin/sh\n".write(
      toFile: setup.folder.path("open.yaml"), atomically: true, encoding: .utf8)
    let problems = #expect(throws: ConfigurationLoader.Problems.self) { try setup.loader().load() }
    #expect(problems?.lines.first?.contains("open.yaml:2: alerts.hook does not belong") == true)
  }

  @Test func testCertificate_IsRenewedForNewAddressesAndNearItsEnd() throws {
    let setup = try Setup()
    let certificate = StationCertificate(database: setup.database)
    let now = setup.time.now().wall
    #expect(try certificate.renewIfNeeded(for: Self.network, at: now) == .newAuthority)
    #expect(try certificate.renewIfNeeded(for: Self.network, at: now) == .none)
    let moved = LocalNetwork(host: "pi.local", addresses: ["192.168.1.6"])
    #expect(try certificate.renewIfNeeded(for: moved, at: now) == .renewed)
    #expect(try certificate.renewIfNeeded(for: moved, at: now) == .none)
    let notice = now.advanced(by: CertificateIssuer.pageValidity - .seconds(32 * 86_400))
    #expect(try certificate.renewIfNeeded(for: moved, at: notice) == .none)
    let late = notice.advanced(by: .seconds(2 * 86_400))
    #expect(try certificate.renewIfNeeded(for: moved, at: late) == .renewed)
    let years = now.advanced(by: CertificateIssuer.authorityValidity)
    #expect(try certificate.renewIfNeeded(for: moved, at: years) == .newAuthority)
  }

  @Test(arguments: ["page.pem", "authority.pem"])
  func testDamagedCertificate_IsReplaced(name: String) throws {
    let setup = try Setup()
    let certificate = StationCertificate(database: setup.database)
    let now = setup.time.now().wall
    _ = try certificate.renewIfNeeded(for: Self.network, at: now)
    try AtomicFile.write(Array("damaged".utf8), to: setup.folder.path("certificates/\(name)"))
    let change = try certificate.renewIfNeeded(for: Self.network, at: now)
    #expect(change == (name == "page.pem" ? .renewed : .newAuthority))
    _ = try TLSIdentity(certificate: certificate.path, key: certificate.path)
    #expect(try certificate.renewIfNeeded(for: Self.network, at: now) == .none)
  }

  @Test(arguments: [
    ("10.0.0.1", true), ("172.16.0.1", true), ("172.31.255.1", true), ("172.32.0.1", false), ("192.168.0.9", true),
    ("192.169.0.9", false), ("100.64.1.1", true), ("100.128.0.1", false), ("93.184.216.34", false), ("fd00::1", true),
    ("fc12::1", true), ("fe80::1", false), ("2001:db8::1", false), ("fe80::1%eth0", false), ("127.0.0.1", false),
    ("", false),
  ])
  func testPrivateAddresses_AreThoseOfLocalNetworks(address: String, isPrivate: Bool) {
    #expect(LocalNetwork.isPrivate(address) == isPrivate)
  }

  @Test func testAnnouncement_IsWrittenAndWithdrawn() throws {
    let folder = try TemporaryFolder()
    let avahi = AvahiService(folder: folder.path(""))
    #expect(avahi.isAvailable)
    try avahi.announce(port: 9000)
    let text = try String(contentsOfFile: avahi.path, encoding: .utf8)
    #expect(text.contains("<port>9000</port>") && text.contains("<type>_https._tcp</type>"))
    #expect(try avahi.withdraw())
    #expect(try !avahi.withdraw())
    #expect(!AvahiService(folder: folder.path("missing")).isAvailable)
    // The name of the machine is found only while the daemon runs.
    #expect(!AvahiService(folder: folder.path(""), socket: folder.path("socket")).isRunning)
    try folder.write([], to: "socket")
    #expect(AvahiService(folder: folder.path(""), socket: folder.path("socket")).isRunning)
    // A file of somebody else stays.
    try Data("<service-group/>".utf8).write(to: URL(fileURLWithPath: avahi.path))
    #expect(throws: AvahiService.Failure.foreignFile(avahi.path)) { try avahi.announce(port: 9000) }
    #expect(try !avahi.withdraw())
    #expect(try String(contentsOfFile: avahi.path, encoding: .utf8) == "<service-group/>")
  }

  @Test func testListeningHost_DependsOnTheMachine() {
    #expect(ListeningHost.usable("::", hasVersion6: true) == "::")
    #expect(ListeningHost.usable("::", hasVersion6: false) == "0.0.0.0")
    #expect(ListeningHost.usable("127.0.0.1", hasVersion6: false) == "127.0.0.1")
  }

  @Test func testQRCode_HasItsFinderPatternsAndBorder() throws {
    let code = try #require(QRCode("https://pi.local:8620/#login=\(String(repeating: "a", count: 40))"))
    #expect((code.size - 17) % 4 == 0 && code.size >= 29)
    for (row, column) in [(0, 0), (0, code.size - 7), (code.size - 7, 0)] {
      #expect((0..<7).allSatisfy { code.isDark(row, column + $0) && code.isDark(row + 6, column + $0) })
      #expect((1..<6).allSatisfy { !code.isDark(row + 1, column + $0) })
    }
    #expect(!code.isDark(-1, 0) && !code.isDark(0, code.size))
    let lines = code.lines(colour: false)
    #expect(lines.count == (code.size + 8 + 1) / 2 && lines.allSatisfy { $0.count == code.size + 8 })
    #expect(lines[0].allSatisfy { $0 == "█" } && lines.last?.allSatisfy { $0 == "█" } == true)
    #expect(QRCode(String(repeating: "a", count: 5000)) == nil)
  }
}
