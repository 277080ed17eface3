import Foundation
import Sync
import SyncHTTPStore
import SyncTestKit
import TachogramTestKit
import Testing

@testable import SyncServer

@Suite("The program tachogram-sync-server", .timeLimit(.minutes(3)))
struct ProgramTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func run(_ arguments: String...) async throws -> ChildProcess.Ending {
    try await ChildProcess.run(
      ServerProcess.url, arguments, environment: ["PATH": "/usr/bin:/bin", "STATE_DIRECTORY": folder.url.path])
  }

  @Test func testTokens_AreAddedListedAndRevoked_WhileItServes() async throws {
    let added = try await run("token", "add", "kitchen", "--quota", "500M")
    #expect(added.status == 0 && added.text.hasPrefix("tgs_") && added.text.count == 69)
    let server = try ServerProcess(["--database", folder.path("sync.sqlite")])
    let store = try await server.store(String(added.text.dropLast()))
    #expect(try await store.putIfAbsent([UInt8](repeating: 1, count: 2048), at: Planted.key(1)) == .stored)
    let second = try await run("token", "add", "kitchen")
    #expect(second.status == 1 && second.errors.contains("another token has this name"))
    let listed = try await run("token", "list")
    let lines = listed.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.count == 2 && lines.last?.first == "kitchen" && !listed.text.contains("tgs_"))
    #expect(lines.last?.suffix(3) == ["\("\(Planted.space)".prefix(12))", "2.2K", "500M"])
    // As a reload of the service does. Without a certificate, there is nothing to read again.
    server.reload()
    #expect(try await run("token", "revoke", "kitchen").status == 0)
    await #expect(throws: StoreFailure.tokenRefused) { try await store.get(Planted.key(1)) }
    #expect(try await run("token", "revoke", "kitchen").status == 1)
    let ending = await server.terminate()
    #expect(ending.status == 0 && ending.reason == .exit)
    // Neither what was sent nor the token is in its messages.
    #expect(ending.errors.isEmpty)
  }

  @Test(arguments: ["0.0.0.0", "192.168.1.2", "::", "example.org"])
  func testAddressBeyondLoopback_NeedsCertificate(address: String) async throws {
    let ending = try await run("serve", "--address", address, "--port", "0")
    #expect(ending.status == 64 && ending.errors.contains("Without TLS the server listens at loopback only"))
    #expect(folder.files().isEmpty)
  }

  @Test func testBadOptions_AreNamed() async throws {
    for (arguments, words) in [
      (["--key", "k.pem"], "require each other"), (["--port", "70000"], "--port"), (["--rate", "0"], "--rate"),
      (["--database", "a", "--postgresql", "b"], "exclude each other"),
    ] {
      let ending = try await ChildProcess.run(
        ServerProcess.url, ["serve"] + arguments, environment: ["PATH": "/usr/bin:/bin"])
      #expect(ending.status == 64 && ending.errors.contains(words), "\(arguments)")
    }
    let key = try await run("serve", "--certificate", folder.path("c.pem"), "--key", folder.path("k.pem"))
    #expect(key.status == 1 && key.errors.contains("c.pem cannot be read"))
    let database = try await run("token", "list", "--database", folder.path("no/such/folder.sqlite"))
    #expect(database.status == 1 && database.errors.contains("the database cannot be opened"))
    let server = try await run("token", "list", "--postgresql", "postgresql:///x?host=\(folder.url.path)&user=u")
    #expect(server.status == 1 && server.errors.contains("there is no connection to the database"))
    #expect(try await run("token", "add", "two words").status == 64)
    #expect(try await run("token", "add", "a", "--quota", "many").status == 64)
  }

  @Test func testDatabaseOfNewerVersion_IsRefused() async throws {
    #expect(try await run("token", "list").status == 0)
    let sql = "INSERT INTO grdb_migrations VALUES ('9')"
    let database = try SQLiteDatabase(path: folder.path("sync.sqlite"))
    try await database.write { connection in _ = try connection.run(sql, []) }
    await database.close()
    let ending = try await run("token", "list")
    #expect(ending.status == 1 && ending.errors.contains("a newer version"))
    let address = try await PostgreSQLCluster.shared.value.makeDatabase()
    let postgreSQL = PostgreSQLDatabase(address)
    try await postgreSQL.write { connection in _ = try connection.run("UPDATE schema_version SET version = 9", []) }
    await #expect(throws: SyncStorageFailure.newerSchema) {
      try await SyncTokenStorage(PostgreSQLDatabase(address)).tokens()
    }
  }
}
