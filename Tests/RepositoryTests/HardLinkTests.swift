import Foundation
import Glibc
import TachogramTestKit
import Testing

@testable import Repository

/// A database with several names, each of which has a lock and a log of its own.
struct HardLinkTests {
  private let folder: TemporaryFolder
  private let other: String

  /// A database, and another name of it in another folder.
  init() throws {
    folder = try TemporaryFolder()
    other = folder.path("s/b")
    try TachogramDatabase.open(path: folder.database).close()
    try FileManager.default.createDirectory(atPath: folder.path("s"), withIntermediateDirectories: false)
    try #require(link(folder.database, other) == 0)
  }

  @Test(arguments: [DatabaseLock.Use.writing, .recording, .exclusive])
  func testDatabaseWithTwoNames_IsRefusedUnderBoth(use: DatabaseLock.Use) throws {
    for path in [folder.database, other] {
      #expect(throws: RepositoryError.severalNames(path: path, names: 2)) {
        try TachogramDatabase.open(path: path, for: use)
      }
      #expect(throws: RepositoryError.severalNames(path: path, names: 2)) {
        try TachogramDatabase.openReadOnly(path: path)
      }
      #expect(throws: RepositoryError.severalNames(path: path, names: 2)) {
        try TachogramDatabase.checkReplaceable(path: path)
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("s")) == ["b"])
    unlink(other)
    try TachogramDatabase.open(path: folder.database, for: use).close()
  }

  /// As tools make them that keep copies.
  @Test func testCopyWithTwoNames_IsRead() throws {
    let copy = try TachogramDatabase.openCopy(path: other)
    #expect(try copy.checkIntegrity() == [])
    try copy.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("s")) == ["b"])
  }

  @Test func testSymbolicLink_IsNoSecondName() throws {
    unlink(other)
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: folder.database)
    try TachogramDatabase.open(path: other).close()
  }

  /// The power went while a copy was put in its place: nobody else has it open under that name.
  @Test func testNameOfADatabasePutAside_IsKnown() throws {
    unlink(other)
    try #require(link(folder.database, folder.database + ".replaced-2026-01-01T000000Z") == 0)
    try TachogramDatabase.open(path: folder.database).close()
    try #require(link(folder.database, other) == 0)
    #expect(throws: RepositoryError.severalNames(path: folder.database, names: 3)) {
      try TachogramDatabase.open(path: folder.database)
    }
  }
}
