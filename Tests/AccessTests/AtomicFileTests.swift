import FileSystem
import Foundation
import TachogramTestKit
import Testing

@Suite("Files replaced as a whole")
struct AtomicFileTests {
  @Test func testFile_IsWrittenReadReplacedAndRemoved() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("file")
    #expect(try AtomicFile.read(path) == nil)
    try AtomicFile.write([1, 2, 3], to: path)
    #expect(try AtomicFile.read(path) == [1, 2, 3])
    try AtomicFile.write([], to: path, mode: 0o644)
    #expect(try AtomicFile.read(path) == [])
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o644)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")) == ["file"])
    #expect(try AtomicFile.remove(path))
    #expect(try !AtomicFile.remove(path))
  }

  @Test func testUnfinishedFileOfACrash_IsReplaced() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("file")
    try Data([9]).write(to: URL(fileURLWithPath: path + ".part"))
    try AtomicFile.write([1], to: path)
    #expect(try AtomicFile.read(path) == [1])
  }

  @Test func testReading_IsLimitedToRegularFilesOfASize() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("file")
    try AtomicFile.write([1, 2, 3], to: path)
    #expect(try AtomicFile.read(path, limit: 3) == [1, 2, 3])
    #expect(throws: AtomicFile.Failure(path: path, action: .read, reason: .tooLarge(limit: 2))) {
      try AtomicFile.read(path, limit: 2)
    }
    #expect(throws: AtomicFile.Failure(path: "/dev/null", action: .read, reason: .notRegular)) {
      try AtomicFile.read("/dev/null")
    }
  }

  @Test func testFolderThatCannotBeMade_IsNamed() throws {
    let error = #expect(throws: AtomicFile.Failure.self) { try AtomicFile.makeFolder("/proc/nowhere/a") }
    #expect(error?.description.hasPrefix("/proc/nowhere cannot be created: ") == true)
    let write = #expect(throws: AtomicFile.Failure.self) { try AtomicFile.write([1], to: "/proc/nowhere") }
    #expect(write?.description.hasPrefix("/proc/nowhere cannot be written: ") == true)
  }

  @Test(arguments: [("a/b", "a"), ("/a", "/"), ("/a/b/c", "/a/b")])
  func testFolderOfAPath(path: String, folder: String) {
    #expect(AtomicFile.folder(of: path) == folder)
    #expect(AtomicFile.folder(of: "a") == nil)
  }
}
