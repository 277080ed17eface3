import COpenSSL
import Foundation
import TachogramTestKit
import Testing

/// A certificate that signs itself, and its key, made for a test.
struct MadeCertificate {
  static let host = "tachogram.test"

  let certificate: String
  let key: String

  /// `issuer` signs it; by default it signs itself.
  init(
    _ name: String = "page", in folder: TemporaryFolder, subject: String = host, issuer: MadeCertificate? = nil
  ) async throws {
    certificate = folder.path("\(name).pem")
    key = folder.path("\(name).key")
    let signing = issuer.map { ["-CA", $0.certificate, "-CAkey", $0.key] } ?? []
    try await Self.openssl(
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", "30",
        "-subj", "/CN=\(subject)", "-addext", "subjectAltName=DNS:\(subject)", "-keyout", key, "-out", certificate,
      ] + signing)
  }

  /// Moves the time in which it is valid, and signs it again.
  func move(days: Int) throws {
    let seconds = days * 86_400
    let signer = try #require(Self.read(key) { PEM_read_bio_PrivateKey($0, nil, nil, nil) })
    defer { EVP_PKEY_free(signer) }
    let made = try #require(Self.read(certificate) { PEM_read_bio_X509($0, nil, nil, nil) })
    defer { X509_free(made) }
    try #require(X509_gmtime_adj(X509_getm_notBefore(made), seconds) != nil)
    try #require(X509_gmtime_adj(X509_getm_notAfter(made), seconds + 30 * 86_400) != nil)
    try #require(X509_sign(made, signer, EVP_sha256()) > 0)
    let file = try #require(BIO_new_file(certificate, "w"))
    defer { BIO_free(file) }
    try #require(PEM_write_bio_X509(file, made) == 1)
  }

  private static func read(_ path: String, _ body: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
    guard let file = BIO_new_file(path, "r") else { return nil }
    defer { BIO_free(file) }
    return body(file)
  }

  /// Debian's program of that name.
  static func openssl(_ arguments: String...) async throws { try await openssl(arguments) }

  private static func openssl(_ arguments: [String]) async throws {
    let ending = try await ChildProcess.run(
      URL(fileURLWithPath: "/usr/bin/openssl"), arguments, environment: ["PATH": "/usr/bin:/bin"])
    try #require(ending.status == 0, "\(ending.errors)")
  }
}
