import Foundation
import GRDB
import Repository
import TachogramCore
import TachogramTestKit
import Testing

@Suite("Database")
struct TachogramDatabaseTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  // MARK: - Opening

  @Test func testNewDatabase_IsPrivateAndInFoldersOfItsOwn() throws {
    let path = folder.path("deep/deeper/tachogram.sqlite")
    let database = try TachogramDatabase.open(path: path)
    try SessionRepository(database: database).begin(SessionFixture.description())
    for (item, mode) in [
      (path, 0o600), (path + "-wal", 0o600), (path + "-shm", 0o600), (folder.path("deep/deeper"), 0o700),
      (folder.path("deep"), 0o700),
    ] {
      let permissions = try FileManager.default.attributesOfItem(atPath: item)[.posixPermissions] as? Int
      #expect(permissions == mode, "\(item)")
    }
  }

  @Test func testExistingFile_KeepsItsMode() throws {
    try TachogramDatabase.open(path: folder.database).close()
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.database)
    try TachogramDatabase.open(path: folder.database).close()
    let permissions = try FileManager.default.attributesOfItem(atPath: folder.database)[.posixPermissions] as? Int
    #expect(permissions == 0o640)
  }

  @Test(arguments: [
    ("journal_mode", "wal"), ("synchronous", "2"), ("foreign_keys", "1"), ("trusted_schema", "0"),
    ("cell_size_check", "1"), ("secure_delete", "1"), ("application_id", "1413563208"),
  ])
  func testOpenedDatabase_IsDurableAndGuarded(pragma: String, expected: String) throws {
    let database = try TachogramDatabase.open(path: folder.database)
    let value = try database.writer.writeWithoutTransaction { db in
      try String.fetchOne(db, sql: "PRAGMA \(pragma)")
    }
    #expect(value == expected)
  }

  @Test func testReopenedDatabase_HoldsWhatWasStored() throws {
    let database = try TachogramDatabase.open(path: folder.database)
    try SessionRepository(database: database).begin(SessionFixture.description())
    #expect(try SessionRepository(database: database).sessions().count == 1)
    try database.close()
    // All is in the one file, which may be copied as it is.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        == ["tachogram.sqlite", "tachogram.sqlite-recording"])
    let again = try TachogramDatabase.open(path: folder.database)
    #expect(try SessionRepository(database: again).sessions().count == 1)
    #expect(try again.checkIntegrity().isEmpty)
  }

  @Test func testDatabaseThatWasNotClosed_OpensWithWhatWasCommitted() throws {
    let database = try TachogramDatabase.open(path: folder.database)
    let repository = SessionRepository(database: database)
    try repository.begin(SessionFixture.description())
    try repository.append(SessionFixture.batch(0..<5), to: SessionFixture.id)
    // What a power cut leaves: the file and its write-ahead log as they are now.
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: folder.database + suffix, toPath: folder.path("copy.sqlite") + suffix,
      )
    }
    let copy = try TachogramDatabase.open(path: folder.path("copy.sqlite"))
    #expect(
      try SessionRepositoryTests.entries(SessionRepository(database: copy)) == SessionFixture.batch(0..<5).entries)
    #expect(try copy.checkIntegrity().isEmpty)
  }

  @Test func testEmptyFile_BecomesADatabase() throws {
    try folder.write([], to: "tachogram.sqlite")
    #expect(try SessionRepository(database: .open(path: folder.database)).sessions().isEmpty)
  }

  @Test func testSeveralOpeningANewDatabaseAtOnce_AllSucceed() async throws {
    let path = folder.path("new/tachogram.sqlite")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          let database = try TachogramDatabase.open(path: path)
          try SessionRepository(database: database)
            .begin(SessionFixture.description(id: SessionFixture.identifier(number)))
          try database.close()
        }
      }
      try await group.waitForAll()
    }
    let database = try TachogramDatabase.open(path: path)
    #expect(try SessionRepository(database: database).sessions().count == 4)
  }

  @Test func testRelativePath_IsAFileOfTheWorkingFolder() {
    let folder = FileManager.default.currentDirectoryPath
    for name in [":memory:", "file:none?mode=memory", "no such folder/tachogram.sqlite"] {
      #expect(throws: RepositoryError.missing(path: folder + "/" + name)) {
        try TachogramDatabase.openReadOnly(path: name)
      }
    }
  }

  // MARK: - Reading beside a writer

  @Test func testReadOnly_ReadsBesideAnOpenWriter() throws {
    let database = try TachogramDatabase.open(path: folder.database)
    let writing = SessionRepository(database: database)
    try writing.begin(SessionFixture.description())
    let reading = SessionRepository(database: try .openReadOnly(path: folder.database))
    try writing.append(SessionFixture.batch(0..<3), to: SessionFixture.id)
    #expect(try SessionRepositoryTests.entries(reading) == SessionFixture.batch(0..<3).entries)
    #expect(try reading.session(matching: SessionFixture.id).beatCount == 4)
  }

  @Test func testReadOnly_OpensADatabaseThatNobodyHasOpen() throws {
    let database = try TachogramDatabase.open(path: folder.database)
    try SessionRepository(database: database).begin(SessionFixture.description())
    try database.close()
    let before = try folder.read()
    let reading = try TachogramDatabase.openReadOnly(path: folder.database)
    #expect(try SessionRepository(database: reading).sessions().count == 1)
    #expect(try reading.checkIntegrity().isEmpty)
    try reading.close()
    #expect(try folder.read() == before)
  }

  @Test func testReaders_SeeOneStateWhileAnotherConnectionWrites() throws {
    let database = try TachogramDatabase.open(path: folder.database)
    let repository = SessionRepository(database: database)
    try repository.begin(SessionFixture.description())
    try repository.append(SessionFixture.batch(0..<4), to: SessionFixture.id)
    let reading = SessionRepository(database: try .openReadOnly(path: folder.database))
    // Another process that is in the middle of a transaction
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let other = try DatabaseQueue(path: folder.database, configuration: configuration)
    try other.write { db in
      try db.execute(sql: "DELETE FROM beat")
      try db.execute(sql: "INSERT INTO ledger SELECT session, 4, link, kind, 0, 0, reason, value FROM ledger LIMIT 1")
      for repository in [repository, reading] {
        #expect(try SessionRepositoryTests.entries(repository).count == 4)
        #expect(try repository.sessions().map(\.beatCount) == [5])
      }
    }
    for repository in [repository, reading] {
      #expect(try SessionRepositoryTests.entries(repository).count == 5)
      #expect(try repository.sessions().map(\.beatCount) == [0])
    }
  }

  @Test func testReadersDuringAppends_NeverSeeHalfABatch() async throws {
    let database = try TachogramDatabase.open(path: folder.database)
    let repository = SessionRepository(database: database)
    try repository.begin(SessionFixture.description())
    let reading = SessionRepository(database: try .openReadOnly(path: folder.database))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for lower in stride(from: Int64(0), to: 400, by: 4) {
          try repository.append(SessionFixture.batch(lower..<(lower + 4)), to: SessionFixture.id)
        }
      }
      for repository in [repository, reading] {
        group.addTask {
          var seen: Int64 = 0
          while seen < 400 {
            let record = try repository.session(matching: SessionFixture.id)
            #expect(record.entryCount >= seen)
            #expect(record.entryCount.isMultiple(of: 4))
            #expect(record.beatCount == SessionFixture.beatCount(entries: record.entryCount))
            seen = record.entryCount
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try database.checkIntegrity().isEmpty)
  }
}
