import Foundation
import TachogramTestKit
import Testing

@testable import Access

@Suite("Token of the station")
struct StationTokenTests {
  @Test func testToken_IsMadeOnceAndKept() throws {
    let folder = try TemporaryFolder()
    let file = StationToken(database: folder.path("t.sqlite"))
    #expect(try file.read() == nil)
    let token = try file.readOrMake()
    #expect(token.count == 40)
    #expect(try file.readOrMake() == token)
    #expect(try file.read() == token)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("token"))
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    let other = try file.make()
    #expect(other != token)
    #expect(try file.read() == other)
  }

  @Test func testFileWithoutToken_IsRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("token")
    try "short\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: AccessFailure.noToken(path: path)) {
      try StationToken(database: folder.path("t.sqlite")).readOrMake()
    }
  }

  @Test func testFolderThatIsMissing_IsMade() throws {
    let folder = try TemporaryFolder()
    let token = try StationToken(database: folder.path("a/b/t.sqlite")).readOrMake()
    #expect(try StationToken(database: folder.path("a/b/t.sqlite")).read() == token)
  }

  @Test func testFolderThatCannotBeMade_IsAnError() throws {
    #expect(throws: AccessFailure.self) { try StationToken(database: "/proc/nowhere/t.sqlite").readOrMake() }
  }
}
