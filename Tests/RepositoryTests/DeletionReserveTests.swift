import Foundation
import Glibc
import TachogramTestKit
import Testing

@testable import Repository

/// The room that is kept for deletions on a full disk.
struct DeletionReserveTests {
  private let folder: TemporaryFolder
  private let database: TachogramDatabase

  init() throws {
    folder = try TemporaryFolder()
    database = try .open(path: folder.database)
  }

  /// What the file of the lock occupies, in bytes.
  private func occupied() throws -> Int {
    var status = stat()
    try #require(stat(folder.database + "-recording", &status) == 0)
    return Int(status.st_blocks) * 512
  }

  private func store(_ number: Int) throws {
    let session = SessionFixture.description(id: SessionFixture.identifier(number))
    try SessionRepository(database: database).begin(session, with: SessionFixture.batch(0..<3))
  }

  /// As where the disk was full when it was opened.
  @Test func testCommitThatFindsRoom_OccupiesIt() throws {
    try #require(truncate(folder.database + "-recording", 0) == 0)
    try store(1)
    #expect(try occupied() >= LockFile.reserve)
  }

  @Test func testReserveInUse_IsLeftToTheDeletionUntilItsEnd() throws {
    database.releaseReserve()
    try store(1)
    #expect(try occupied() == 0)
    database.renewReserve()
    #expect(try occupied() >= LockFile.reserve)
  }

  @Test func testDatabaseThatIsClosed_HasItsReserveAgain() throws {
    database.releaseReserve()
    try database.close()
    #expect(try occupied() >= LockFile.reserve)
  }

  /// A deletion gives a quarter of a megabyte: half of it is kept for the next one, the rest is for what is recorded.
  @Test(arguments: [
    (UInt64(0), 0), (131_071, 0), (131_072, 131_072), (262_144, 131_072), (400_000, 200_000), (524_288, 262_144),
    (.max, 262_144),
  ])
  func testReserveOnADiskThatIsNearlyFull_IsHalfOfWhatThereIs(free: UInt64, kept: Int) {
    #expect(LockFile.reserve(in: free) == kept)
  }
}
