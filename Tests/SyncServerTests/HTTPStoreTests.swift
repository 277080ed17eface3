import Sync
import SyncHTTPStore
import TLS
import TachogramContracts
import TachogramCore
import TachogramTestKit
import Testing

@testable import SyncServer

@Suite("Store by HTTP", .timeLimit(.minutes(3)))
struct HTTPStoreTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func testSQLite_FulfilsContract() async throws {
    try await TestServer.run(over: try SQLiteStorage(path: folder.path("s.sqlite"))) { server in
      let token = try await server.token("a")
      try await StoreContract(server.store(token), hasSeveralSpaces: false) { server.store(token) }.check()
    }
  }
}
