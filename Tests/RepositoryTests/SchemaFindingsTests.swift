import Foundation
import GRDB
import Glibc
import TachogramTestKit
import Testing

@testable import Repository

/// Databases of this program's name whose tables are not those of this program.
struct SchemaFindingsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func findings(after sql: String) throws -> [String] {
    let database = try TachogramDatabase.open(path: folder.database)
    try database.writer.writeWithoutTransaction { db in try db.execute(sql: sql) }
    defer { try? database.close() }
    return try database.checkSchema()
  }

  @Test(arguments: [
    ("DROP TABLE owed", "table owed is missing"),
    ("ALTER TABLE artifact DROP COLUMN replacements", "table artifact is another one than tachogram makes"),
    (
      "CREATE TRIGGER strange AFTER INSERT ON session BEGIN DELETE FROM owed; END",
      "trigger strange is not of tachogram"
    ),
    ("DELETE FROM grdb_migrations WHERE identifier GLOB 'v2*'", "of the changes of the schema some are missing"),
  ])
  func testSchemaOfAnother_IsNamed(sql: String, finding: String) throws {
    let findings = try findings(after: sql)
    #expect(findings.count == 1 && findings[0].hasPrefix(finding), "\(findings)")
  }

  /// Of every version; what somebody added for queries of his own is no harm.
  @Test func testOwnSchema_HasNothingMissing() throws {
    #expect(
      try findings(after: "CREATE INDEX mine ON artifact (milliseconds); CREATE VIEW seen AS SELECT 1; ANALYZE") == [])
    for name in SchemaMigrator.migrator.migrations {
      let queue = try DatabaseQueue()
      try SchemaMigrator.migrator.migrate(queue, upTo: name)
      #expect(try queue.read(SchemaMigrator.findings) == [], "\(name)")
    }
  }

  /// It is refused as damaged, at once or when it is checked, and is alone then.
  @Test(arguments: [5_000, 20_000, 40_000])
  func testCopyThatIsCutOff_HasNothingBesideIt(length: Int) throws {
    try TachogramDatabase.open(path: folder.database).close()
    let copy = folder.path("copies/trunc")
    try FileManager.default.createDirectory(atPath: folder.path("copies"), withIntermediateDirectories: false)
    try folder.write(folder.read().prefix(length), to: "copies/trunc")
    if let database = try? TachogramDatabase.openCopy(path: copy) {
      #expect((try? database.checkIntegrity()) != [])
      try? database.close()
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("copies")) == ["trunc"])
  }

  /// The disk became full while the tables were made.
  @Test(arguments: [0, 4_096, 20_000, 60_000, 100_000])
  func testDatabaseThatCannotBeMade_LeavesNothing(room: Int64) throws {
    try FileManager.default.createDirectory(atPath: folder.path("new"), withIntermediateDirectories: false)
    let disk = try FaultyDisk(folder: folder.path("new"))
    disk.leaveRoom(room)
    #expect(throws: RepositoryError.self) { try TachogramDatabase.open(path: folder.path("new/t")) }
    disk.mend()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("new")) == [])
  }
}
