import SyncServer
import TachogramTestKit

/// The databases that every test of the server runs with.
package enum SyncDatabaseChoice: String, CaseIterable, Sendable {
  case sqlite
  case postgreSQL

  /// Makes an empty database. SQLite has it in the folder.
  package func make(in folder: TemporaryFolder) async throws -> any SyncDatabaseProtocol {
    switch self {
    case .sqlite: try SQLiteDatabase(path: folder.path("sync.sqlite"))
    case .postgreSQL: PostgreSQLDatabase(try await PostgreSQLCluster.shared.value.makeDatabase())
    }
  }
}
