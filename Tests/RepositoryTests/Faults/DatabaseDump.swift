import Foundation
import GRDB
import TachogramTestKit

/// All rows of a database as lines of text, so that whole states can be compared.
struct DatabaseDump: Hashable, Sendable {
  let lines: [String]

  init(_ db: Database) throws {
    let tables = try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name")
    lines = try tables.flatMap { table in
      let columns = try db.columns(in: table).map { "quote(\"\($0.name)\")" }.joined(separator: " || ' ' || ")
      return try String.fetchAll(db, sql: "SELECT \(columns) FROM \(table)").sorted().map { "\(table): \($0)" }
    }
  }

  /// What a crash leaves of an open database, looked at from outside: its file and its log, copied as they are. Throws
  /// where that does not open; `damage` is what SQLite finds wrong with it.
  static func afterCrash(of path: String) throws -> (dump: DatabaseDump, damage: [String]) {
    let folder = try TemporaryFolder()
    // A disk of ours waits for nothing.
    let disk = try FaultyDisk(folder: folder.url.path)
    defer { withExtendedLifetime(disk) {} }
    try DatabaseFiles(path: path).copy(to: folder.database)
    let queue = try DatabaseQueue(path: folder.database)
    defer { try? queue.close() }
    return try queue.read { db in
      var damage = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
      damage += try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map(\.description)
      return (try DatabaseDump(db), damage)
    }
  }

  /// The lines that only one of two states has, for messages.
  func difference(from other: DatabaseDump) -> [String] {
    Set(lines).symmetricDifference(other.lines).sorted()
  }
}
