import TachogramTestKit
import Testing

@testable import SyncServer

/// The databases that every test of the server runs with.
enum SyncDatabaseChoice: String, CaseIterable, CustomTestStringConvertible {
  case sqlite
  case postgreSQL

  var testDescription: String { rawValue }

  /// Makes an empty database. SQLite has it in the folder.
  func make(in folder: TemporaryFolder) async throws -> any SyncDatabaseProtocol {
    switch self {
    case .sqlite: try SQLiteDatabase(path: folder.path("sync.sqlite"))
    case .postgreSQL: PostgreSQLDatabase(try await PostgreSQLCluster.shared.value.makeDatabase())
    }
  }
}
