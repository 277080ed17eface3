import Foundation
import Repository
import Testing

struct RecordingLockTests {
  @Test func testSecondRecorder_DoesNotGetTheLockBeforeTheFirstEnds() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tachogram-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("t.sqlite").path
    var first = RecordingLock(database: path)
    #expect(first != nil)
    #expect(RecordingLock(database: path) == nil)
    #expect(RecordingLock(database: path + "2") != nil)
    first = nil
    #expect(RecordingLock(database: path) != nil)
    #expect(first == nil)
  }

  @Test func testPlaceThatCannotBeWritten_GivesNoLock() {
    #expect(RecordingLock(database: "/nonexistent/t.sqlite") == nil)
  }
}
