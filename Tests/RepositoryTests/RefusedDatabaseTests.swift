import Foundation
import GRDB
import Glibc
import TachogramTestKit
import Testing

@testable import Repository

/// Nothing is left beside a file that is refused, nor where a file is missing.
struct RefusedDatabaseTests {
  enum Refused: String, CaseIterable {
    case text
    case otherProgram
    /// In WAL mode, and with its log.
    case otherProgramWithLog
    /// All of it in its log: the file says nothing yet.
    case otherProgramInItsLog
    case newerSchema
    case damagedHeader
    /// A database to its header; what its tables are cannot be read.
    case damagedSchema
    case folder
    case unreadable
    case missingFolderThatIsAFile
  }

  enum Opening: String, CaseIterable {
    case writing, recording, exclusive, reading, copy
  }

  private let folder: TemporaryFolder
  private var path: String { folder.path("f/t.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("f"), withIntermediateDirectories: false)
  }

  private func make(_ kind: Refused) throws {
    switch kind {
    case .text: try folder.write(Array("rr\n1000\n".utf8), to: "f/t.sqlite")
    case .otherProgram, .otherProgramWithLog, .otherProgramInItsLog:
      var configuration = Configuration()
      configuration.journalMode = kind == .otherProgram ? .default : .wal
      let queue = try DatabaseQueue(path: folder.path("other"), configuration: configuration)
      try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
      if kind == .otherProgramWithLog {
        try queue.writeWithoutTransaction { db in
          try db.execute(sql: "CREATE TABLE health (value REAL); PRAGMA wal_checkpoint(TRUNCATE)")
        }
      }
      try queue.write { db in try db.execute(sql: "CREATE TABLE more (value REAL)") }
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: folder.path("other" + suffix)) {
        try FileManager.default.copyItem(atPath: folder.path("other" + suffix), toPath: path + suffix)
      }
      try queue.close()
    case .newerSchema, .damagedHeader, .damagedSchema, .unreadable:
      let database = try TachogramDatabase.open(path: path)
      try database.writer.write { db in
        guard kind == .newerSchema else { return }
        try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('v99 sleep')")
      }
      try database.close()
      unlink(path + "-recording")
      if kind == .unreadable { chmod(path, 0) }
      if kind == .damagedSchema {
        var bytes = try folder.read("f/t.sqlite")
        // In the text that makes a table.
        let place = try #require(bytes.firstRange(of: Data("CREATE TABLE".utf8)))
        bytes.replaceSubrange(place, with: Data(repeating: 0xA5, count: place.count))
        try folder.write(bytes, to: "f/t.sqlite")
      }
      if kind == .damagedHeader {
        var bytes = try folder.read("f/t.sqlite")
        bytes.replaceSubrange(0..<16, with: Data(repeating: 0xA5, count: 16))
        try folder.write(bytes, to: "f/t.sqlite")
      }
    case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case .missingFolderThatIsAFile:
      try FileManager.default.removeItem(atPath: folder.path("f"))
      try folder.write([], to: "f")
    }
  }

  private func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path("f")) {
      files[name] = (try? folder.read("f/" + name)) ?? Data()
    }
    return files
  }

  private func open(_ opening: Opening) throws {
    switch opening {
    case .writing: try TachogramDatabase.open(path: path).close()
    case .recording: try TachogramDatabase.open(path: path, for: .recording).close()
    case .exclusive: try TachogramDatabase.open(path: path, for: .exclusive).close()
    case .reading: try TachogramDatabase.openReadOnly(path: path).close()
    case .copy: try TachogramDatabase.openCopy(path: path).close()
    }
  }

  @Test(arguments: Refused.allCases, Opening.allCases)
  func testRefusedFile_HasNothingBesideIt(_ kind: Refused, _ opening: Opening) throws {
    if kind == .unreadable, geteuid() == 0 { return }
    try make(kind)
    let isFolder = kind != .missingFolderThatIsAFile
    let before = isFolder ? try files() : [:]
    let error = #expect(throws: RepositoryError.self) { try open(opening) }
    #expect(error?.description.contains(folder.url.path) == true)
    if kind == .otherProgramInItsLog {
      // SQLite may have moved the log into the file, as it does for any program that opens it.
      #expect(try Set(files().keys).isSubset(of: ["t.sqlite", "t.sqlite-wal"]))
    } else if isFolder {
      #expect(try files() == before)
    }
  }

  @Test(arguments: [Opening.reading, .copy])
  func testMissingFile_IsNotMadeByReading(_ opening: Opening) throws {
    #expect(throws: RepositoryError.missing(path: path)) { try open(opening) }
    #expect(try files().isEmpty)
    try FileManager.default.removeItem(atPath: folder.path("f"))
    #expect(throws: RepositoryError.missing(path: path)) { try open(opening) }
    #expect(!FileManager.default.fileExists(atPath: folder.path("f")))
  }

  /// What another command uses is not deleted because this one refuses the database.
  @Test func testLockThatIsInUse_Stays() throws {
    try make(.newerSchema)
    let other = try DatabaseLock(database: path, for: .writing)
    #expect(throws: RepositoryError.self) { try open(.writing) }
    #expect(FileManager.default.fileExists(atPath: path + "-recording"))
    withExtendedLifetime(other) {}
  }
}
