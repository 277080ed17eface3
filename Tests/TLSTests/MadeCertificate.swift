import Foundation
import TachogramTestKit
import Testing

/// A certificate that signs itself, and its key, made for a test.
struct MadeCertificate {
  static let host = "tachogram.test"

  let certificate: String
  let key: String

  init(_ name: String = "page", in folder: TemporaryFolder) async throws {
    certificate = folder.path("\(name).pem")
    key = folder.path("\(name).key")
    try await Self.openssl(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", "30",
      "-subj", "/CN=\(Self.host)", "-addext", "subjectAltName=DNS:\(Self.host)", "-keyout", key, "-out", certificate)
  }

  /// Debian's program of that name.
  static func openssl(_ arguments: String...) async throws {
    let ending = try await ChildProcess.run(
      URL(fileURLWithPath: "/usr/bin/openssl"), arguments, environment: ["PATH": "/usr/bin:/bin"])
    try #require(ending.status == 0, "\(ending.errors)")
  }
}
