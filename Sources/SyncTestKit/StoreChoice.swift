import Sync
import SyncHTTPStore
import SyncServer
import TachogramTestKit

/// The stores that every test of stations runs with.
package enum StoreChoice: String, CaseIterable, Sendable {
  case memory
  case folder
  case sqliteServer
  case postgreSQLServer

  /// Calls `body` with an empty store, which exists while it runs.
  package func run<Value>(_ body: (any SyncStoreProtocol) async throws -> Value) async throws -> Value {
    switch self {
    case .memory: return try await body(MemoryStore())
    case .folder:
      let folder = try TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      return try await body(FolderStore(path: folder.path("store")))
    case .sqliteServer: return try await Self.serve(.sqlite, body)
    case .postgreSQLServer: return try await Self.serve(.postgreSQL, body)
    }
  }

  private static func serve<Value>(
    _ choice: SyncDatabaseChoice, _ body: (any SyncStoreProtocol) async throws -> Value
  ) async throws -> Value {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let database = try await choice.make(in: folder)
    let (stores, started) = AsyncStream.makeStream(of: HTTPStore.self)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    async let ending: Void = {
      defer { started.finish() }
      try await TestServer.run(over: database) { server in
        started.yield(server.store(try await server.token("stations")))
        for await _ in ends {}
      }
      await database.close()
    }()
    do {
      guard let store = await stores.first(where: { _ in true }) else {
        try await ending
        throw CancellationError()
      }
      let value = try await body(store)
      end.finish()
      try await ending
      return value
    } catch {
      end.finish()
      try? await ending
      throw error
    }
  }
}
