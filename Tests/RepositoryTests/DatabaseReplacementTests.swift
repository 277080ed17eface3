import Foundation
import GRDB
import Repository
import TachogramCore
import TachogramTestKit
import Testing

/// Databases that get another file while they are open.
struct DatabaseReplacementTests {
  private let folder: TemporaryFolder
  private var path: String { folder.database }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A database with one session, closed.
  private func make(_ name: String, _ number: Int) throws {
    let database = try TachogramDatabase.open(path: folder.path(name))
    try SessionRepository(database: database)
      .begin(SessionFixture.description(id: SessionFixture.identifier(number)), with: SessionFixture.batch(0..<3_000))
    try database.close()
  }

  private func replace() throws {
    let lock = try DatabaseLock(database: path, for: .exclusive)
    // As `restore` does: the log and the shared memory are those of the file.
    try lock.renaming(database: path) {
      for suffix in ["-wal", "-shm"] { rename(path + suffix, folder.path("replaced" + suffix)) }
      let renamed = rename(folder.path("other.sqlite"), path)
      #expect(renamed == 0)
    }
  }

  /// All that a reader reads is of the file that it opened, also what it reads first behind the change.
  @Test func testReader_StaysWithTheFileThatItOpened() throws {
    try make("tachogram.sqlite", 1)
    try make("other.sqlite", 2)
    let reading = SessionRepository(database: try .openReadOnly(path: path))
    try replace()
    let writing = try TachogramDatabase.open(path: path)
    try SessionRepository(database: writing)
      .append(SessionFixture.batch(3_000..<6_000), to: SessionFixture.identifier(2))
    #expect(try reading.sessions().map(\.description.id) == [SessionFixture.identifier(1)])
    var count = 0
    try reading.forEachEntry(of: SessionFixture.identifier(1)) { count += $0.count }
    #expect(count == 3_000)
    #expect(try SessionRepository(database: writing).sessions().map(\.description.id) == [SessionFixture.identifier(2)])
    #expect(try writing.checkIntegrity() == [])
    try writing.close()
  }

  /// The names change while nobody opens the files, and whoever comes waits.
  @Test func testReader_OpensNoFileWhileNamesChange() async throws {
    try make("tachogram.sqlite", 1)
    try make("other.sqlite", 2)
    let path = path
    let lock = try DatabaseLock(database: path, for: .exclusive)
    let reading = try lock.renaming(database: path) {
      let reading = Task { try SessionRepository(database: .openReadOnly(path: path)).sessions() }
      let renamed = rename(folder.path("other.sqlite"), path)
      #expect(renamed == 0)
      return reading
    }
    #expect(try await reading.value.map(\.description.id) == [SessionFixture.identifier(2)])
  }

  /// By a program that knows nothing of locks: what was stored is not said to be there.
  @Test func testWriterWhoseFileWasReplaced_SaysSo() throws {
    try make("other.sqlite", 2)
    let database = try TachogramDatabase.open(path: path)
    try SessionRepository(database: database).begin(SessionFixture.description())
    let renamed = rename(folder.path("other.sqlite"), path)
    #expect(renamed == 0)
    #expect(throws: RepositoryError.replaced(path: path)) { try database.close() }
  }

  /// As one from before an upgrade of the program; it is brought up to date by whoever writes to it next.
  /// Something has the name that the shared memory would be given, after the log has been renamed.
  @Test func testReplacementThatFails_LeavesTheDatabaseItsLog() throws {
    try make("other.sqlite", 2)
    let source = try TachogramDatabase.openReadOnly(path: folder.path("other.sqlite"))
    try Data("database".utf8).write(to: URL(fileURLWithPath: path))
    let logs = [path + "-wal", path + "-shm"]
    for log in logs { try Data(log.utf8).write(to: URL(fileURLWithPath: log)) }
    let time = WallTime(microseconds: 1_790_000_000_000_000)
    let aside = path + ".replaced-" + Timestamp.text(time).filter { $0 != ":" }
    try FileManager.default.createDirectory(atPath: aside + "-shm/x", withIntermediateDirectories: true)
    let lock = try DatabaseLock(database: path, for: .exclusive)
    #expect(throws: (any Error).self) { try ReplacedDatabase(path).replace(with: source, at: time, under: lock) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("database".utf8))
    for log in logs { #expect(try Data(contentsOf: URL(fileURLWithPath: log)) == Data(log.utf8)) }
    try source.close()
  }

  @Test func testOlderCopy_IsReadAndCopiedAsItIs() throws {
    try make("tachogram.sqlite", 1)
    let older = try DatabaseQueue(path: path)
    try older.write { db in
      try db.execute(sql: "DROP TABLE owed; DELETE FROM grdb_migrations WHERE identifier GLOB 'v6*'")
    }
    try older.close()
    let copy = try TachogramDatabase.openCopy(path: path)
    #expect(try copy.checkIntegrity() == [])
    #expect(try copy.snapshot(to: folder.path("copy.sqlite")) == [])
    try copy.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names == ["copy.sqlite", "tachogram.sqlite", "tachogram.sqlite-recording"])
    #expect(throws: RepositoryError.olderSchema(path: folder.path("copy.sqlite"))) {
      try TachogramDatabase.openReadOnly(path: folder.path("copy.sqlite"))
    }
    let restored = try TachogramDatabase.open(path: folder.path("copy.sqlite"))
    #expect(try SessionRepository(database: restored).sessions().count == 1)
    try restored.close()
  }

  @Test func testOpenDatabase_HoldsItsLockUntilItIsClosed() throws {
    for use in [DatabaseLock.Use.writing, .recording, .exclusive] {
      let database = try TachogramDatabase.open(path: path, for: use)
      #expect(database.isOnlyRecorder == (use != .writing))
      #expect(throws: RepositoryError.self) { try DatabaseLock(database: path, for: .exclusive) }
      try database.close()
      withExtendedLifetime(try DatabaseLock(database: path, for: .exclusive)) {}
    }
    // And whoever only reads holds none.
    let reading = try TachogramDatabase.openReadOnly(path: path)
    withExtendedLifetime(try DatabaseLock(database: path, for: .exclusive)) {}
    try reading.close()
  }

  /// A copy that is to be restored keeps its log, which has a part of it.
  @Test func testUnfinishedCopies_AreRemovedWithTheirJournals() throws {
    let others = [
      "t.sqlite.restored-", "t.sqlite.restored-2026-01-05", "t.sqlite.restored-7", "t.sqlite.restored-7-wal",
    ]
    let own = ["", "-wal", "-shm", "-journal", ".part", ".part-journal"].map { "t.sqlite.restored-99999" + $0 }
    for name in own + others { try folder.write([1], to: name) }
    ReplacedDatabase(folder.path("t.sqlite")).removeUnfinished(but: folder.path("t.sqlite.restored-7"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == others.sorted())
  }
}
