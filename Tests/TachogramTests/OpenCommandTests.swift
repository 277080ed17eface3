import Foundation
import Glibc
import TachogramTestKit
import Testing

/// The page opened and closed by the program.
@Suite("tachogram open")
struct OpenCommandTests {
  private let folder: TemporaryFolder
  private var database: String { folder.path("t.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func run(_ arguments: String...) async throws -> Program.Result {
    try await Program.run(arguments + ["--database", database])
  }

  @Test func testOpenAndClose_SayWhatTheyDid() async throws {
    let opened = try await run("open")
    #expect(opened.status == 0, "\(opened.errors)")
    #expect(opened.text.contains("https://") && opened.text.contains("#login=") && opened.text.contains("fingerprint"))
    #expect(opened.errors.contains("until it is restarted"))
    #expect(opened.text.contains("from the next start of the station on:") && opened.text.contains("no longer valid"))
    let shown = try await run("config", "show")
    #expect(shown.text.contains("open.yaml:3"))
    let closed = try await run("close")
    #expect(
      closed.status == 0 && closed.text == "The page is closed. This applies from the next start of the station on.\n")
    #expect(try await run("close").text == "The page was not open.\n")
    #expect(try await !run("config", "show").text.contains("open.yaml"))
  }

  @Test func testTokens_AreAddedListedAndRevoked() async throws {
    let added = try await run("token", "add", "e-ink panel")
    #expect(added.status == 0 && added.text.count == 41)
    let list = try await run("token", "list")
    #expect(list.text == "e-ink panel: read, last used never\n")
    let json = try await run("token", "list", "--format", "json").object()
    #expect((json["tokens"] as? [[String: Any]])?.first?["scope"] as? String == "read")
    #expect(try await run("token", "add", "e-ink panel").status == 1)
    #expect(try await run("token", "add", "\u{7}").status == 2)
    #expect(try await run("token", "revoke", "e-ink panel").status == 0)
    #expect(try await run("token", "revoke", "e-ink panel").status == 1)
    #expect(try await run("token", "list").text == "There are no named tokens.\n")
    for scope in ["glance", "overlay", "metrics"] {
      #expect(try await run("token", "add", scope, "--scope", scope).status == 0)
      #expect(try await run("token", "list").text.contains("\(scope): \(scope), last used never\n"))
      // Nobody logs in with one.
      #expect(try await run("open", "--scope", scope).status == 2)
    }
    // As version 0.1.0 has it.
    let own = try await run("token")
    #expect(own.status == 0 && own.text.count == 41)
    #expect(try await run("token", "--new").text != own.text)
  }

  /// A link that the station's user planted in its folder leads root nowhere: the files are written with that user's rights.
  @Test(.enabled(if: geteuid() == 0, "needs root")) func testRoot_ActsAsTheOwnerOfTheFolder() async throws {
    let user: uid_t = 65_534
    let guarded = folder.path("guarded")
    try FileManager.default.createDirectory(atPath: guarded, withIntermediateDirectories: false)
    let state = folder.path("state")
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
    for path in [folder.url.path, state] { try #require(chmod(path, 0o755) == 0) }
    try #require(chmod(guarded, 0o700) == 0)
    try #require(chown(state, user, user) == 0)
    let opened = try await Program.run(["open", "--database", "\(state)/t.sqlite"])
    #expect(opened.status == 0, "\(opened.errors)")
    for name in ["open.yaml", "token", "certificates/page.pem", "access/codes"] {
      var status = stat()
      #expect(stat("\(state)/\(name)", &status) == 0 && status.st_uid == user, "\(name)")
    }
    try FileManager.default.removeItem(atPath: "\(state)/certificates")
    try FileManager.default.createSymbolicLink(atPath: "\(state)/certificates", withDestinationPath: guarded)
    let refused = try await Program.run(["open", "--database", "\(state)/t.sqlite"])
    #expect(refused.status == 1 && refused.errors.contains("certificates"), "\(refused.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: guarded).isEmpty)
  }
}
