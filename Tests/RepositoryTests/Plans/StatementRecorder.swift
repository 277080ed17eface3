import GRDB
import Repository
import Synchronization

/// What statements the connection of a database in memory runs, and by which plans.
final class StatementRecorder: Sendable {
  private let recorded = Mutex<Set<String>>([])

  /// Records from now on. Triggers are not statements of their own.
  init(_ database: TachogramDatabase) {
    database.writer.writeWithoutTransaction { db in
      db.trace { [weak self] event in
        guard let self, case .statement(let statement) = event, !statement.sql.hasPrefix("--") else { return }
        let sql = statement.sql
        recorded.withLock { _ = $0.insert(sql) }
      }
    }
  }

  /// Those that read or write rows, each stretch of white space one space.
  var statements: [String] {
    recorded.withLock(\.self).map(SourceLiterals.collapsed)
      .filter { sql in ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains { sql.hasPrefix($0) } }.sorted()
  }

  /// The lines of the plan of a statement.
  static func plan(_ db: Database, _ sql: String) throws -> [String] {
    let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
    statement.setUncheckedArguments([])
    return try Row.fetchAll(statement).map { row in row["detail"] as String? ?? "" }
  }
}
