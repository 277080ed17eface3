import Foundation
import GRDB
import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

/// Databases of released schemas (`Fixtures/databases`) that cannot be brought up to date, and that are read nevertheless.
@Suite("Databases that are held back")
struct HeldBackDatabaseTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Makes the database of a version, with a table whose name a later version uses, so that it cannot be brought up to date.
  private func make(_ version: Int) throws {
    try ReleasedDatabase.make(
      version, at: folder.database, adding: "CREATE VIEW marker_by_session AS SELECT 1")
  }

  private func dump() throws -> [String] {
    let queue = try DatabaseQueue(path: folder.database)
    defer { try? queue.close() }
    return try queue.read { db in
      try String.fetchAll(
        db, sql: "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1")
        + String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY 1")
    }
  }

  @Test(arguments: 1...7)
  func testMigrationThatFails_ChangesNothing(version: Int) throws {
    try make(version)
    let before = try dump()
    let error = #expect(throws: RepositoryError.self) { try TachogramDatabase.open(path: folder.database) }
    let text = try #require(error?.description)
    #expect(text.hasPrefix("\(folder.database) was written by an older version"))
    #expect(text.contains("marker_by_session"))
    // Not one of the migrations before it either.
    #expect(try dump() == before)
    #expect(
      before.count { $0.hasPrefix("v") && $0.dropFirst().first?.isNumber == true && !$0.hasPrefix("view") } == version)
  }

  /// What the repositories read.
  private static func contents(_ database: TachogramDatabase) throws -> [String] {
    let sessions = SessionRepository(database: database)
    var lines = try StrapRepository(database: database).straps().map { "\($0)" }
    lines += try ReadingRepository(database: database).readings(of: "Anna").map { "\($0)" }
    lines += try HistoryRepository(database: database).persons()
    for record in try sessions.sessions() {
      var record = record
      // Version 7 names the installation of recordings that were made before.
      record.description.deviceID = nil
      let id = record.description.id
      lines.append("\(record)")
      lines += try sessions.links(of: id).map { "\($0)" }
      lines += try sessions.gaps(of: id).map { "\($0)" }
      lines += try sessions.artifacts(of: id).map { "\($0)" }
      lines += try sessions.windows(of: id).map { "\($0)" }
      lines += try sessions.stress(of: id).map { "\($0.id) \($0.stressLevel)" }
      lines += try sessions.markers(of: id).map { "\($0)" }
      try sessions.forEachEntry(of: id) { lines += $0.map { "\($0)" } }
      try sessions.forEachBeat(of: id) { lines += $0.map { "\($0)" } }
    }
    return lines
  }

  /// Compared with the same database after it was brought up to date.
  @Test(arguments: 1...7)
  func testHeldBackDatabase_ReadsAsOneThatIsUpToDate(version: Int) throws {
    try make(version)
    let before = try dump()
    let old = try TachogramDatabase.openHeldBack(path: folder.database)
    #expect(old.isOlder)
    let copy = folder.path("copy.sqlite")
    try FileManager.default.copyItem(atPath: folder.database, toPath: copy)
    let queue = try DatabaseQueue(path: copy)
    try queue.write { db in try db.execute(sql: "DROP VIEW marker_by_session") }
    try queue.close()
    let new = try TachogramDatabase.open(path: copy)
    #expect(!new.isOlder)
    let found = try Self.contents(old)
    #expect(found.count > 30)
    #expect(try found == Self.contents(new))
    #expect(try old.checkSchema() == [])
    #expect(throws: RepositoryError.heldBack(path: folder.database)) {
      try SessionRepository(database: old).finish(SessionFixture.identifier(1))
    }
    try old.close()
    #expect(try dump() == before)
  }

  @Test func testDatabaseThatIsUpToDate_IsOpenedAsSuch() throws {
    try TachogramDatabase.open(path: folder.database).close()
    let database = try TachogramDatabase.openHeldBack(path: folder.database)
    #expect(!database.isOlder)
    #expect(try SessionRepository(database: database).sessions().isEmpty)
  }
}
