import FileSystem
import Foundation
import Glibc
import TachogramTestKit
import Testing

/// Files that root makes as another user.
@Suite("Files as another user", .enabled(if: geteuid() == 0))
struct FileAccessTests {
  private static let (user, group): (UInt32, UInt32) = (65_534, 65_534)

  private func owner(_ path: String) throws -> [UInt32?] {
    let found = try FileManager.default.attributesOfItem(atPath: path)
    return [FileAttributeKey.ownerAccountID, .groupOwnerAccountID].map { (found[$0] as? NSNumber)?.uint32Value }
  }

  private func create(_ path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { return false }
    return close(descriptor) == 0
  }

  /// A folder that its owner alone may enter.
  private func folder(of user: UInt32) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    #expect(chmod(folder.url.path, 0o700) == 0 && chown(folder.url.path, user, user) == 0)
    return folder
  }

  @Test func testFiles_BelongToTheUser() throws {
    let folder = try folder(of: Self.user)
    let made = FileAccess.run(asUser: Self.user, group: Self.group) { create(folder.path("one")) }
    #expect(made == true)
    #expect(try owner(folder.path("one")) == [Self.user, Self.group])
    // Root again.
    #expect(create(folder.path("two")))
    #expect(try owner(folder.path("two")) == [0, 0])
  }

  @Test func testFilesOfRoot_AreOutOfReach() throws {
    let folder = try folder(of: 0)
    try folder.write([1], to: "secret")
    let opened = FileAccess.run(asUser: Self.user, group: Self.group) { open(folder.path("secret"), O_RDONLY) }
    #expect(opened == -1)
    #expect(FileAccess.run(asUser: Self.user, group: Self.group) { create(folder.path("one")) } == false)
  }

  @Test func testOtherThreads_StayRoot() throws {
    let folder = try folder(of: 0)
    let (begin, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let path = folder.path("one")
    Thread.detachNewThread {
      begin.wait()
      let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
      if descriptor >= 0 { close(descriptor) }
      end.signal()
    }
    FileAccess.run(asUser: Self.user, group: Self.group) {
      begin.signal()
      end.wait()
    }
    #expect(try owner(path) == [0, 0])
  }

  @Test func testErrors_GiveTheRightsBack() throws {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      _ = try FileAccess.run(asUser: Self.user, group: Self.group) { throw Failure() }
    }
    let folder = try folder(of: 0)
    #expect(create(folder.path("one")))
  }
}
