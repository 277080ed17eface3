import Foundation
import TachogramCore
import TachogramTestKit
import Testing

@testable import TLS

/// Checked with Debian's openssl, which reads the certificates and verifies the chain by itself.
@Suite("Certificates that the station issues")
struct CertificateIssuerTests {
  private static let now = WallTime(microseconds: 1_795_000_000_000_000)

  /// The files of an authority and of a certificate of the page.
  private struct Files {
    let authority: String
    let page: String
    let key: String
  }

  private static func files(
    _ authority: KeyedCertificate, _ page: KeyedCertificate, in folder: TemporaryFolder
  ) throws -> Files {
    let files = Files(authority: folder.path("ca.pem"), page: folder.path("page.pem"), key: folder.path("page.key"))
    try Data(authority.certificate).write(to: URL(fileURLWithPath: files.authority))
    try Data(page.certificate).write(to: URL(fileURLWithPath: files.page))
    try Data(page.key).write(to: URL(fileURLWithPath: files.key))
    return files
  }

  private static func openssl(_ arguments: [String]) async throws -> ChildProcess.Ending {
    try await ChildProcess.run(
      URL(fileURLWithPath: "/usr/bin/openssl"), arguments, environment: ["PATH": "/usr/bin:/bin"])
  }

  /// Verifies the chain as a browser does, for a name or an address.
  private static func verifies(_ files: Files, _ expected: [String], at time: WallTime = now) async throws -> Bool {
    let arguments =
      ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", files.authority, "-attime"]
      + ["\(time.microseconds / 1_000_000)"] + expected + [files.page]
    return try await openssl(arguments).status == 0
  }

  @Test func testCertificate_IsTrustedByWhoTrustsTheAuthority() async throws {
    let folder = try TemporaryFolder()
    let authority = try CertificateIssuer.makeAuthority("Tachogram pi", at: Self.now)
    let names = PageNames(hosts: ["pi.local", "localhost"], addresses: ["192.168.1.5", "fd00::5"])
    let page = try CertificateIssuer.issue(names, by: authority, at: Self.now)
    let files = try Self.files(authority, page, in: folder)
    for name in [["-verify_hostname", "pi.local"], ["-verify_ip", "192.168.1.5"], ["-verify_ip", "fd00::5"]] {
      #expect(try await Self.verifies(files, name), "\(name)")
    }
    #expect(try await !Self.verifies(files, ["-verify_hostname", "other.local"]))
    #expect(try await !Self.verifies(files, ["-verify_ip", "192.168.1.6"]))
    // A clock that is a day late, and the last day.
    let (day, end) = (Duration.seconds(86_400), CertificateIssuer.pageValidity)
    #expect(try await Self.verifies(files, [], at: Self.now.advanced(by: .seconds(-86_000))))
    #expect(try await Self.verifies(files, [], at: Self.now.advanced(by: end - day - .seconds(60))))
    #expect(try await !Self.verifies(files, [], at: Self.now.advanced(by: end)))
    _ = try TLSIdentity(certificate: files.page, key: files.key)
  }

  /// A key that is stolen must not be worth more than the station.
  @Test(arguments: [
    PageNames(hosts: ["bank.example"], addresses: []), PageNames(hosts: ["pi.local"], addresses: ["93.184.216.34"]),
    PageNames(hosts: ["local.example"], addresses: []), PageNames(hosts: ["pi.local"], addresses: ["2001:db8::1"]),
  ])
  func testAuthority_IsLimitedToTheLocalNetwork(names: PageNames) async throws {
    let folder = try TemporaryFolder()
    let authority = try CertificateIssuer.makeAuthority("Tachogram pi", at: Self.now)
    let page = try CertificateIssuer.issue(names, by: authority, at: Self.now)
    #expect(try await !Self.verifies(Self.files(authority, page, in: folder), []))
  }

  @Test func testCertificates_AreForTheirPurposeAlone() async throws {
    let folder = try TemporaryFolder()
    let authority = try CertificateIssuer.makeAuthority("Tachogram pi", at: Self.now)
    let page = try CertificateIssuer.issue(
      PageNames(hosts: ["pi.local"], addresses: []), by: authority, at: Self.now)
    let files = try Self.files(authority, page, in: folder)
    let own = try await Self.openssl(["x509", "-in", files.page, "-noout", "-text"]).text
    for part in [
      "CA:FALSE", "TLS Web Server Authentication", "DNS:pi.local", "Issuer: CN = Tachogram pi", "P-256",
    ] {
      #expect(own.contains(part), "\(part)")
    }
    let root = try await Self.openssl(["x509", "-in", files.authority, "-noout", "-text"]).text
    for part in ["CA:TRUE, pathlen:0", "Certificate Sign, CRL Sign", "DNS:local", "IP:192.168.0.0/255.255.0.0"] {
      #expect(root.contains(part), "\(part)")
    }
    let printed = try await Self.openssl(["x509", "-in", files.authority, "-noout", "-fingerprint", "-sha256"]).text
    #expect(printed.contains(try CertificateIssuer.fingerprint(authority)))
    let facts = try CertificateIssuer.facts(page)
    #expect(facts.names == "DNS:pi.local")
    let leeway = Duration.seconds(86_400)
    #expect(facts.expiry == Self.now.advanced(by: CertificateIssuer.pageValidity - leeway))
  }

  @Test func testTwoCertificates_DifferInKeyAndSerialNumber() async throws {
    let authority = try CertificateIssuer.makeAuthority("Tachogram pi", at: Self.now)
    let names = PageNames(hosts: ["pi.local"], addresses: [])
    let (one, other) = (
      try CertificateIssuer.issue(names, by: authority, at: Self.now),
      try CertificateIssuer.issue(names, by: authority, at: Self.now)
    )
    #expect(one.key != other.key && one.certificate != other.certificate)
  }

  @Test func testNamesThatHideOthers_AreLeftOut() {
    let names = PageNames(
      hosts: ["pi.local", "a,DNS:bank.example", "", "PI", "ü.local"],
      addresses: ["10.0.0.1", "10.0.0.1,DNS:a", "fe80::1%eth0"])
    #expect(names.extensionText == "DNS:pi.local,IP:10.0.0.1")
  }

  @Test func testDamagedAuthority_IsAnError() {
    #expect(throws: TLSFailure.self) {
      try CertificateIssuer.issue(
        PageNames(hosts: ["pi.local"], addresses: []), by: KeyedCertificate(certificate: [1, 2], key: []), at: Self.now)
    }
  }
}
