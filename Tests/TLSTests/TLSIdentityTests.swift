import Foundation
import TachogramCore
import TachogramTestKit
import Testing

@testable import TLS

struct TLSIdentityTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func file(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
    return folder.path(name)
  }

  private func failure(_ certificate: String, _ key: String) -> TLSFailure? {
    do {
      _ = try TLSIdentity(certificate: certificate, key: key)
      return nil
    } catch {
      return error
    }
  }

  @Test func testCertificate_TellsItsEnd() async throws {
    let made = try await MadeCertificate(in: folder)
    let identity = try TLSIdentity(certificate: made.certificate, key: made.key)
    let left = Double(identity.expiry.microseconds) / 1e6 - Date().timeIntervalSince1970
    #expect(abs(left - 30 * 86_400) < 3600)
  }

  @Test(arguments: [-40, -10, 0, 10, 1200])
  func testCertificate_TellsWhenItIsValid(days: Int) async throws {
    let made = try await MadeCertificate(in: folder)
    try made.move(days: days)
    let identity = try TLSIdentity(certificate: made.certificate, key: made.key)
    let now = Date().timeIntervalSince1970
    #expect(abs(Double(identity.start.microseconds) / 1e6 - now - Double(days) * 86_400) < 3600)
    #expect(abs(Double(identity.expiry.microseconds) / 1e6 - now - Double(days + 30) * 86_400) < 3600)
  }

  @Test func testChain_IsInOrderWhereEachIssuedTheOneBefore() async throws {
    let root = try await MadeCertificate("root", in: folder, subject: "root")
    let middle = try await MadeCertificate("middle", in: folder, subject: "middle", issuer: root)
    let own = try await MadeCertificate("own", in: folder, issuer: middle)
    func path(_ chain: [MadeCertificate]) throws -> String {
      let texts = try chain.map { try String(contentsOfFile: $0.certificate, encoding: .utf8) }
      return try file("chain.pem", texts.joined())
    }
    for (chain, isInOrder) in [
      ([own], true), ([own, middle], true), ([own, middle, root], true), ([own, root, middle], false),
      ([own, root], false), ([own, middle, middle], false),
    ] {
      #expect(try TLSIdentity(certificate: try path(chain), key: own.key).isChainInOrder == isInOrder)
    }
    for chain in [[middle, own], [root, middle, own]] {
      let path = try path(chain)
      #expect(failure(path, own.key) == .notFirst(certificate: path))
    }
  }

  @Test func testOneFile_MayHoldBothAndTheChain() async throws {
    let made = try await MadeCertificate(in: folder)
    let other = try await MadeCertificate("other", in: folder)
    let texts = try [made.key, made.certificate, other.certificate].map {
      try String(contentsOfFile: $0, encoding: .utf8)
    }
    let all = try file("all.pem", texts.joined())
    #expect(failure(all, all) == nil)
    // The chain is damaged behind a sound certificate.
    let damaged = try file("damaged.pem", texts[1] + texts[2].replacing("-----END", with: "!-----END"))
    guard case .refused(damaged, _) = failure(damaged, made.key) else {
      Issue.record("\(failure(damaged, made.key) as Any)")
      return
    }
  }

  @Test func testKeyOfAnotherKind_IsNotThatOfTheCertificate() async throws {
    let made = try await MadeCertificate(in: folder)
    let other = try await MadeCertificate("other", in: folder)
    let rsa = folder.path("rsa.key")
    try await MadeCertificate.openssl("genrsa", "-out", rsa, "2048")
    for key in [other.key, rsa] {
      #expect(failure(made.certificate, key) == .mismatch(certificate: made.certificate, key: key))
    }
  }

  @Test func testEncryptedKey_SaysWhatToDo() async throws {
    let made = try await MadeCertificate(in: folder)
    let encrypted = folder.path("encrypted.key")
    try await MadeCertificate.openssl(
      "pkey", "-in", made.key, "-aes256", "-passout", "pass:secret", "-out", encrypted)
    let failure = failure(made.certificate, encrypted)
    #expect(failure == .encryptedKey(path: encrypted))
    #expect(failure?.description.contains("openssl pkey -in \(encrypted)") == true)
  }

  @Test func testWhatIsNoneOfThem_IsNamed() async throws {
    let made = try await MadeCertificate(in: folder)
    let empty = try file("empty", "")
    let text = try file("text", "heart\n")
    let swapped = failure(made.key, made.certificate)
    #expect(swapped == .noCertificate(path: made.key))
    #expect(failure(made.certificate, made.certificate) == .noKey(path: made.certificate))
    for path in [empty, text] {
      #expect(failure(path, made.key) == .noCertificate(path: path))
      #expect(failure(made.certificate, path) == .noKey(path: path))
    }
    let missing = folder.path("missing")
    #expect(failure(missing, made.key) == .unreadable(path: missing, reason: "No such file or directory"))
    #expect(failure(made.certificate, folder.url.path) == .notRegular(path: folder.url.path))
    let pipe = folder.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    #expect(failure(pipe, made.key) == .notRegular(path: pipe))
    let large = try file("large", String(repeating: " ", count: TLSFile.limit + 1))
    #expect(failure(large, made.key) == .tooLarge(path: large))
  }
}
