import SyncTestKit
import TachogramTestKit
import Testing

@testable import SyncServer

@Suite("Tokens of a station", .timeLimit(.minutes(3)))
struct StationTokenTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func testRevokedToken_IsReplaced() async throws {
    let database = folder.path("t.sqlite")
    let server = try SQLiteDatabase(path: folder.path("sync.sqlite"))
    let folder = folder
    try await TestServer.run(over: server) { server in
      for name in ["first", "second"] { try folder.write(try await server.token(name).utf8, to: name) }
      let founded = try await Program.run(
        ["sync", "init", server.address, "--token-file", folder.path("first"), "--database", database])
      #expect(founded.status == 0, "\(founded.errors)")
      #expect(try await SyncTokenStorage(server.database).revoke(name: "first"))
      let refused = try await Program.run(["sync", "now", "--database", database])
      #expect(refused.status == 1 && refused.errors.contains("the store refuses the token"), "\(refused.errors)")
      #expect(refused.errors.contains("`tachogram sync now --token-file FILE`"))
      let replaced = try await Program.run(
        ["sync", "now", "--token-file", folder.path("second"), "--database", database])
      #expect(replaced.status == 0, "\(replaced.errors)")
      #expect(try await Program.run(["sync", "now", "--database", database]).status == 0)
    }
  }
}
