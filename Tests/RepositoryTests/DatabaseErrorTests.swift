import Foundation
import GRDB
import Glibc
import Repository
import TachogramCore
import TachogramTestKit
import Testing

@Suite("Database errors")
struct DatabaseErrorTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let isRoot = geteuid() == 0

  // MARK: - Not a database of ours

  @Test func testMissingFile_IsNotMadeByReading() throws {
    #expect(throws: RepositoryError.missing(path: folder.database)) {
      try TachogramDatabase.openReadOnly(path: folder.database)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.database))
  }

  @Test func testFolderAsPath_IsRefused() throws {
    #expect(throws: RepositoryError.notAFile(path: folder.url.path)) {
      try TachogramDatabase.open(path: folder.url.path)
    }
    #expect(throws: RepositoryError.notAFile(path: folder.url.path)) {
      try TachogramDatabase.openReadOnly(path: folder.url.path)
    }
    #expect(throws: RepositoryError.notAFile(path: "/dev/null")) { try TachogramDatabase.open(path: "/dev/null") }
  }

  /// Regular files to `stat`, of a size that is made up as well.
  @Test(arguments: ["/proc/self/mem", "/proc/version", "/proc/self/environ", "/sys/kernel/uevent_seqnum"])
  func testFileOfTheKernel_IsRefused(path: String) {
    let error = RepositoryError.madeByKernel(path: path)
    for use in [DatabaseLock.Use.writing, .recording, .exclusive] {
      #expect(throws: error) { try TachogramDatabase.open(path: path, for: use) }
    }
    #expect(throws: error) { try TachogramDatabase.openReadOnly(path: path) }
    #expect(throws: error) { try TachogramDatabase.openCopy(path: path) }
    #expect(throws: error) { try TachogramDatabase.checkReplaceable(path: path) }
  }

  @Test func testPathThatLeadsNowhere_SaysWhy() throws {
    try FileManager.default.createSymbolicLink(atPath: folder.path("loop"), withDestinationPath: "loop")
    for (name, code) in [("loop", ELOOP), (String(repeating: "n", count: 300), ENAMETOOLONG)] {
      let error = RepositoryError.unreachable(path: folder.path(name), errno: code)
      #expect(throws: error) { try TachogramDatabase.open(path: folder.path(name)) }
      #expect(throws: error) { try TachogramDatabase.openReadOnly(path: folder.path(name)) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["loop"])
  }

  /// The database is made where the link leads, as private as any, and so is what is beside it.
  @Test(arguments: ["new.sqlite", "inner/new.sqlite"])
  func testLinkToNothing_LeadsToTheNewDatabase(target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: target)
    try TachogramDatabase.open(path: folder.path("link")).close()
    var status = stat()
    try #require(stat(folder.path(target), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(FileManager.default.fileExists(atPath: folder.path(target + "-recording")))
    #expect(!FileManager.default.fileExists(atPath: folder.path("link-recording")))
    try TachogramDatabase.openReadOnly(path: folder.path("link")).close()
  }

  @Test(arguments: [5, 100, 512, 4_096, 10_000])
  func testFileThatIsNoDatabase_IsLeftAsItWas(size: Int) throws {
    let bytes = [UInt8](repeating: 0x74, count: size)
    try folder.write(bytes, to: "tachogram.sqlite")
    let error = RepositoryError.notADatabase(path: folder.database)
    #expect(throws: error) { try TachogramDatabase.open(path: folder.database) }
    #expect(throws: error) { try TachogramDatabase.openReadOnly(path: folder.database) }
    #expect(try folder.read() == Data(bytes))
    #expect(!FileManager.default.fileExists(atPath: folder.database + "-wal"))
  }

  @Test(arguments: ["CREATE TABLE health (value REAL)", "PRAGMA application_id = 7"])
  func testDatabaseOfAnotherProgram_IsLeftAsItWas(sql: String) throws {
    let other = try DatabaseQueue(path: folder.database)
    try other.write { db in try db.execute(sql: sql) }
    try other.close()
    let before = try folder.read()
    let error = RepositoryError.otherDatabase(path: folder.database)
    #expect(throws: error) { try TachogramDatabase.open(path: folder.database) }
    #expect(throws: error) { try TachogramDatabase.openReadOnly(path: folder.database) }
    #expect(try folder.read() == before)
  }

  @Test func testNewerSchema_IsRefusedAndLeftAsItWas() throws {
    let database = try TachogramDatabase.open(path: folder.database)
    try database.writer.write { db in
      try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('v3 sleep'), ('v2 tags')")
    }
    try database.close()
    let before = try folder.read()
    let error = RepositoryError.newerSchema(path: folder.database, migrations: ["v2 tags", "v3 sleep"])
    #expect(throws: error) { try TachogramDatabase.open(path: folder.database) }
    #expect(throws: error) { try TachogramDatabase.openReadOnly(path: folder.database) }
    #expect(try folder.read() == before)
  }

  @Test func testEmptyFileForReading_IsAnOlderSchema() throws {
    try folder.write([], to: "tachogram.sqlite")
    #expect(throws: RepositoryError.olderSchema(path: folder.database)) {
      try TachogramDatabase.openReadOnly(path: folder.database)
    }
    #expect(try folder.read().isEmpty)
  }

  // MARK: - The file system

  @Test func testFolderThatCannotBeMade_IsNamed() throws {
    try folder.write([], to: "file")
    #expect(throws: RepositoryError.folderNotCreated(path: folder.path("file/inner"), errno: ENOTDIR)) {
      try TachogramDatabase.open(path: folder.path("file/inner/tachogram.sqlite"))
    }
    #expect(throws: RepositoryError.fileNotCreated(path: folder.path("file/tachogram.sqlite"), errno: ENOTDIR)) {
      try TachogramDatabase.open(path: folder.path("file/tachogram.sqlite"))
    }
  }

  @Test(.disabled(if: isRoot, "root may read and write everything"))
  func testPermissions_AreToldApart() throws {
    try TachogramDatabase.open(path: folder.database).close()
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o400], ofItemAtPath: folder.database)
    #expect(throws: RepositoryError.readOnly(path: folder.database)) {
      try TachogramDatabase.open(path: folder.database)
    }
    try manager.setAttributes([.posixPermissions: 0o000], ofItemAtPath: folder.database)
    #expect(throws: RepositoryError.accessDenied(path: folder.database)) {
      try TachogramDatabase.open(path: folder.database)
    }
    #expect(throws: RepositoryError.accessDenied(path: folder.database)) {
      try TachogramDatabase.openReadOnly(path: folder.database)
    }
    try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.database)
    try manager.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
    defer { try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url.path) }
    #expect(throws: RepositoryError.cannotOpen(path: folder.database)) {
      try TachogramDatabase.openReadOnly(path: folder.database)
    }
    #expect(throws: RepositoryError.fileNotCreated(path: folder.path("other.sqlite"), errno: EACCES)) {
      try TachogramDatabase.open(path: folder.path("other.sqlite"))
    }
    try manager.setAttributes([.posixPermissions: 0o000], ofItemAtPath: folder.url.path)
    #expect(throws: RepositoryError.accessDenied(path: folder.database)) {
      try TachogramDatabase.openReadOnly(path: folder.database)
    }
  }

  // MARK: - While in use

  @Test func testWritingToADatabaseOpenedForReading_IsRefused() throws {
    try TachogramDatabase.open(path: folder.database).close()
    let error = RepositoryError.readOnly(path: folder.database)
    let repository = SessionRepository(database: try .openReadOnly(path: folder.database))
    #expect(throws: error) { try repository.begin(SessionFixture.description()) }
  }

  @Test func testDatabaseHeldByAnotherProcess_IsBusy() throws {
    let database = try TachogramDatabase.open(path: folder.database, busyTimeout: .milliseconds(1))
    let repository = SessionRepository(database: database)
    let other = try DatabaseQueue(path: folder.database)
    try other.inTransaction(.immediate) { _ throws -> Database.TransactionCompletion in
      #expect(throws: RepositoryError.busy(path: folder.database)) {
        try repository.begin(SessionFixture.description())
      }
      #expect(try repository.sessions().isEmpty)
      return .rollback
    }
    try repository.begin(SessionFixture.description())
  }

  @Test func testFullDisk_LeavesWhatWasStored() throws {
    let database = try TachogramDatabase.open(path: folder.database)
    let repository = SessionRepository(database: database)
    try repository.begin(SessionFixture.description())
    try repository.append(SessionFixture.batch(0..<10), to: SessionFixture.id)
    try database.writer.writeWithoutTransaction { db in
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      try db.execute(sql: "PRAGMA max_page_count = \(pages + 1)")
    }
    #expect(throws: RepositoryError.full(path: folder.database)) {
      try repository.append(SessionFixture.batch(10..<1_000), to: SessionFixture.id)
    }
    #expect(try SessionRepositoryTests.entries(repository) == SessionFixture.batch(0..<10).entries)
    try database.writer.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA max_page_count = 1073741823")
    }
    try repository.append(SessionFixture.batch(10..<1_000), to: SessionFixture.id)
    #expect(try database.checkIntegrity().isEmpty)
  }

  @Test(arguments: TestStorage.allCases)
  func testClosedDatabase_SaysSo(storage: TestStorage) throws {
    let database = try storage.open(in: folder)
    let repository = SessionRepository(database: database)
    try database.close()
    try database.close()
    #expect(throws: RepositoryError.closed(path: database.path)) { try repository.sessions() }
    #expect(throws: RepositoryError.closed(path: database.path)) {
      try repository.begin(SessionFixture.description())
    }
  }

  // MARK: - Damage

  @Test func testDamagedPages_AreFound() throws {
    let database = try TachogramDatabase.open(path: folder.database)
    let repository = SessionRepository(database: database)
    try repository.begin(SessionFixture.description())
    try repository.append(SessionFixture.batch(0..<2_000), to: SessionFixture.id)
    #expect(try database.checkIntegrity().isEmpty)
    try database.close()
    var bytes = try folder.read()
    let end = bytes.count
    bytes.replaceSubrange((end - 40_000)..<(end - 1_000), with: [UInt8](repeating: 0xFF, count: 39_000))
    try folder.write(bytes, to: "tachogram.sqlite")

    let damaged = try TachogramDatabase.open(path: folder.database)
    #expect(try !damaged.checkIntegrity().isEmpty)
    // The beats were written last.
    #expect(throws: RepositoryError.damaged(path: folder.database)) {
      try SessionRepository(database: damaged).forEachBeat(of: SessionFixture.id) { _ in }
    }
  }

  @Test func testOrphan_IsFound() throws {
    let database = try TachogramDatabase.open(path: folder.database)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let other = try DatabaseQueue(path: folder.database, configuration: configuration)
    try other.write { db in try db.execute(sql: "INSERT INTO beat VALUES (1, 0, 0, 0, 0, 0)") }
    #expect(
      try Set(database.checkIntegrity()) == [
        "a row of beat refers to a row of ledger that is not there",
        "a row of beat refers to a row of session that is not there",
      ])
  }

  // MARK: - Words

  @Test(arguments: [
    RepositoryError.missing(path: "/p"), .notAFile(path: "/p"), .madeByKernel(path: "/p"),
    .unreachable(path: "/p", errno: 40), .emptyCopy(path: "/p"), .notLocked(path: "/p", errno: 13),
    .notLocked(path: "/p", errno: 37), .notADatabase(path: "/p"), .otherDatabase(path: "/p"),
    .newerSchema(path: "/p", migrations: ["v2"]), .olderSchema(path: "/p"), .heldBack(path: "/p"),
    .notMigrated(path: "/p", cause: .full(path: "/p")), .folderNotCreated(path: "/p", errno: 13),
    .fileNotCreated(path: "/p", errno: 13), .accessDenied(path: "/p"), .readOnly(path: "/p"), .cannotOpen(path: "/p"),
    .busy(path: "/p"), .full(path: "/p"), .inputOutput(path: "/p", code: 266), .damaged(path: "/p"),
    .closed(path: "/p"), .contradiction(path: "/p", detail: "d"), .engine(path: "/p", code: 1, detail: "d"),
  ])
  func testDescription_NamesThePathAndEndsASentence(error: RepositoryError) {
    let description = String(describing: error)
    #expect(description.contains("/p"))
    #expect(description.hasSuffix("."))
    #expect(!description.contains("  "))
  }
}
