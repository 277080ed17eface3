import Foundation
import GRDB
import TachogramTestKit
import Testing

@testable import Repository

@Suite("A disk that turns read-only")
struct ReadOnlyDiskTests {
  /// The result codes of writes after the kernel remounted the file system. SQLite knows of a read-only disk only when it opens
  /// files.
  private static let codes: [ResultCode] = [
    .SQLITE_READONLY, .SQLITE_READONLY_ROLLBACK, .SQLITE_READONLY_DBMOVED, .SQLITE_IOERR_WRITE, .SQLITE_IOERR_TRUNCATE,
    .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DELETE, .SQLITE_IOERR_SHMOPEN,
  ]

  private static let path = "/nowhere/tachogram.sqlite"

  private static func translator(isReadOnly: Bool, bytes: UInt64 = 1 << 30) -> SQLiteErrorTranslator {
    SQLiteErrorTranslator(path: path) { _ in
      FreeSpace(bytes: bytes, files: nil, isReadOnly: isReadOnly, blockSize: 4096)
    }
  }

  @Test(arguments: codes)
  func testWrite_IsReportedAsReadOnly(code: ResultCode) {
    let error = DatabaseError(resultCode: code)
    #expect(Self.translator(isReadOnly: true).translate(error) == .readOnly(path: Self.path))
  }

  @Test func testWriteOfAWritableDisk_IsAFailureOfTheDisk() {
    let error = DatabaseError(resultCode: .SQLITE_IOERR_WRITE)
    let failure = RepositoryError.inputOutput(path: Self.path, code: ResultCode.SQLITE_IOERR_WRITE.rawValue)
    #expect(Self.translator(isReadOnly: false).translate(error) == failure)
    #expect(Self.translator(isReadOnly: false, bytes: 0).translate(error) == .full(path: Self.path))
  }

  @Test func testProbe_LeavesNothing() throws {
    let folder = try TemporaryFolder()
    #expect(!ReadOnlyProbe.isReadOnly(folder: folder.url.path))
    #expect(!ReadOnlyProbe.isReadOnly(folder: folder.path("missing")))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }
}
