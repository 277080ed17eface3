import Foundation
import GRDB
import Repository
import TachogramTestKit
import Testing

/// Every statement of this program finds its rows by a key or an index, whatever is stored.
@Suite("Query plans")
struct QueryPlanTests {
  /// Tables that do not grow with what is recorded.
  private static let smallTables: Set = [
    "person", "strap", "known_strap", "baseline", "owed", "sqlite_master", "sync_space", "sync_log",
    "sync_member_record",
  ]
  /// Files with statements that are not asked of a database in use.
  private static let exempt = ["Schema", "OlderSchema", "RepositoryError", "DatabaseOpener"]

  private static func statements() async throws -> (all: [String], database: TachogramDatabase) {
    let database = try TachogramDatabase.inMemory()
    let recorder = StatementRecorder(database)
    try await QueryScenario.run(database)
    return (recorder.statements, database)
  }

  /// The lines of a plan that read a whole table that grows, or sort it.
  private static func wasteful(_ plan: [String]) -> [String] {
    plan.filter { line in
      let words = line.split(separator: " ")
      if line.contains("TEMP B-TREE") || line.contains("AUTOMATIC") { return true }
      guard words.first == "SCAN", words.count > 1, !line.contains("CONSTANT ROW") else { return false }
      return !smallTables.contains(String(words[1]))
    }
  }

  @Test func testEveryStatement_SearchesByAKey() async throws {
    let (statements, database) = try await Self.statements()
    #expect(statements.count > 80)
    var unused = PlanAllowance.all
    for sql in statements {
      let lines = try await database.writer.read { db in Self.wasteful(try StatementRecorder.plan(db, sql)) }
      for line in lines {
        let allowed = PlanAllowance.all.filter { sql.contains($0.statement) && $0.lines.contains(line) }
        #expect(!allowed.isEmpty, "\(line): \(sql)")
        unused.removeAll { one in allowed.contains { $0.statement == one.statement } }
      }
    }
    #expect(unused.map(\.statement) == [], "allowances that nothing needs any more")
  }

  /// A new statement is one that is recorded: whoever writes it has the scenario run it.
  @Test func testEveryStatementOfTheSource_IsRecorded() async throws {
    let statements = try await Self.statements().all
    let folder = try FixtureLocator.folder().deletingLastPathComponent().appendingPathComponent("Sources/Repository")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    #expect(files.count > 30)
    var found = 0
    for file in files.sorted() where !Self.exempt.contains(where: file.hasPrefix) {
      let source = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      for literal in SourceLiterals(source).literals where Self.isSQL(literal) {
        found += 1
        #expect(
          statements.contains(where: literal.isPart),
          "\(file):\(literal.line): no step of QueryScenario runs: \(literal.segments.joined(separator: " … "))")
      }
    }
    #expect(found > 90)
  }

  /// Whether a literal is a statement or a part of one.
  private static func isSQL(_ literal: SourceLiterals.Literal) -> Bool {
    let text = literal.segments.joined(separator: " ")
    if text.hasPrefix("PRAGMA") { return false }
    let words = Set(text.split { !$0.isLetter && $0 != "?" }.map(String.init))
    let telling: Set = ["SELECT", "INSERT", "UPDATE", "DELETE", "FROM", "WHERE", "VALUES", "AND", "EXISTS", "ORDER"]
    return !words.isDisjoint(with: telling) || text.contains("= ?")
  }

  /// Statements within triggers have plans, too.
  @Test func testTriggers_SearchByAKey() throws {
    let database = try TachogramDatabase.inMemory()
    try database.writer.read { db in
      let triggers = try String.fetchAll(db, sql: "SELECT sql FROM sqlite_schema WHERE type = 'trigger'")
      #expect(triggers.count > 2)
      for trigger in triggers {
        let body = trigger.components(separatedBy: "BEGIN").dropFirst().joined(separator: "BEGIN")
          .replacing(/END\s*$/, with: "").replacing(/\b(new|old)\.\w+/, with: "?")
        for sql in body.split(separator: ";").map({ SourceLiterals.collapsed(String($0)) }) {
          if sql.isEmpty || sql.contains("RAISE(") { continue }
          let plan = try StatementRecorder.plan(db, sql)
          #expect(Self.wasteful(plan) == [], "\(sql)")
        }
      }
    }
  }

  @Test func testFullScanAndSort_AreFound() throws {
    let database = try TachogramDatabase.inMemory()
    try database.writer.read { db in
      for (sql, count) in [
        ("SELECT * FROM beat WHERE ticks = ?", 1), ("SELECT * FROM beat WHERE session = ?", 0),
        ("SELECT * FROM hrv_window WHERE session = ? ORDER BY coverage", 1),
        ("SELECT * FROM ledger AS one, ledger AS other WHERE one.wall_us = other.wall_us", 2), ("SELECT 1", 0),
        ("SELECT * FROM person WHERE id > 0", 0), ("SELECT count(*) FROM stress_measurement", 1),
      ] {
        let plan = try StatementRecorder.plan(db, sql)
        #expect(Self.wasteful(plan).count == count, "\(sql): \(plan)")
      }
    }
  }
}
