import Foundation
import TachogramTestKit
import Testing

@testable import CommandProcess
@testable import Sessions

struct StateFolderTests {
  private static let environment = ["HOME": "/home/anna", "XDG_DATA_HOME": "/home/anna/data"]

  private static func path(
    _ environment: [String: String], _ folder: String = "/nonexistent", _ user: uid_t = 1000
  )
    throws -> String
  {
    try StateFolder.databasePath(environment, serviceFolder: folder, user: user)
  }

  @Test func testPlaces_AreAskedInTheirOrder() throws {
    #expect(try Self.path(["HOME": "/home/anna"]) == "/home/anna/.local/share/tachogram/tachogram.sqlite")
    #expect(try Self.path(Self.environment) == "/home/anna/data/tachogram/tachogram.sqlite")
    let state = Self.environment.merging(["STATE_DIRECTORY": "/var/lib/a:/var/lib/b"]) { $1 }
    #expect(try Self.path(state) == "/var/lib/a/tachogram.sqlite")
    #expect(try Self.path(state.merging(["TACHOGRAM_DATABASE": "/x.sqlite"]) { $1 }) == "/x.sqlite")
    #expect(throws: CommandFailure.self) { try Self.path([:]) }
  }

  /// Nobody else is meant by it: not other users, and not root, who may read it.
  @Test func testUserOfTheService_HasItsFolder() throws {
    let folder = try TemporaryFolder()
    var status = stat()
    try #require(stat(folder.url.path, &status) == 0)
    // Root cannot stand for the service's user: the folder is then somebody's who need not exist.
    let owner = status.st_uid == 0 ? 54_321 : status.st_uid
    if status.st_uid == 0 { try #require(chown(folder.url.path, owner, 0) == 0) }
    #expect(try Self.path(Self.environment, folder.url.path, owner) == folder.path("tachogram.sqlite"))
    for other in [0, owner + 1] {
      #expect(try Self.path(Self.environment, folder.url.path, other).hasPrefix("/home/anna/"))
    }
  }
}
