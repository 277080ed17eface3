import Foundation
import Logging
import TLS
import TachogramCore
import TachogramTestKit
import Testing

@testable import Station

/// A certificate and a key that are replaced while the station runs.
struct ReplacedCertificateTests {
  private let folder: TemporaryFolder
  private let served: PageCertificate
  private let now = SystemTimeSource().now().wall

  init() async throws {
    folder = try TemporaryFolder()
    try await Self.make("page", days: 30, in: folder)
    served = try PageCertificate(
      .init(certificate: folder.path("page.pem"), key: folder.path("page.key")),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  private static func make(_ name: String, days: Int, in folder: TemporaryFolder) async throws {
    let ending = try await ChildProcess.run(
      URL(fileURLWithPath: "/usr/bin/openssl"),
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", "\(days)",
        "-subj", "/CN=\(name)", "-keyout", folder.path("\(name).key"), "-out", folder.path("\(name).pem"),
      ], environment: ["PATH": "/usr/bin:/bin"])
    try #require(ending.status == 0, "\(ending.errors)")
  }

  /// Puts a file in the place of another, as programs that renew certificates do.
  private func replace(_ ending: String, by name: String) throws {
    try #require(rename(folder.path("\(name).\(ending)"), folder.path("page.\(ending)")) == 0)
  }

  /// How many days the served certificate is valid for, to the nearest; making it takes seconds.
  private var days: Int64 {
    Int64((Double(served.identity.value.expiry.microseconds - now.microseconds) / 86_400_000_000).rounded())
  }

  private func check() { served.renewIfReplaced(at: now) }

  @Test func testReplacedFiles_AreServedAfterTwoChecks() async throws {
    // Given
    try await Self.make("renewed", days: 60, in: folder)
    let connected = served.identity.value
    check()
    check()
    #expect(served.identity.value === connected)
    // When
    try replace("pem", by: "renewed")
    try replace("key", by: "renewed")
    check()
    #expect(days == 30)
    check()
    // Then
    #expect(days == 60)
    #expect(connected.expiry < served.identity.value.expiry)
    let renewed = served.identity.value
    check()
    check()
    #expect(served.identity.value === renewed)
  }

  /// The files are replaced one after the other, and a check may fall between them.
  @Test func testKeyThatFollowsLater_IsWaitedFor() async throws {
    try await Self.make("renewed", days: 60, in: folder)
    try replace("pem", by: "renewed")
    check()
    try replace("key", by: "renewed")
    check()
    #expect(days == 30)
    check()
    #expect(days == 60)
  }

  @Test func testFilesThatCannotBeUsed_LeaveTheCertificateUntilTheyAreReplaced() async throws {
    try await Self.make("renewed", days: 60, in: folder)
    try replace("pem", by: "renewed")
    for _ in 0..<3 { check() }
    #expect(days == 30)
    try #require(unlink(folder.path("page.key")) == 0)
    for _ in 0..<3 { check() }
    #expect(days == 30)
    try replace("key", by: "renewed")
    for _ in 0..<2 { check() }
    #expect(days == 60)
  }
}
