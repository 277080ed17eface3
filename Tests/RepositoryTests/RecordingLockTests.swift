import Foundation
import Repository
import Testing

struct RecordingLockTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func testRecorders_KnowWhetherTheyAreAlone() throws {
    var first = RecordingLock.recording(database: path)
    #expect(first?.isAlone == true)
    var second = RecordingLock.recording(database: path)
    #expect(second?.isAlone == false)
    #expect(RecordingLock.recording(database: path + "2")?.isAlone == true)
    // The first one, started again: what it sees unfinished may be that of the second.
    first = nil
    first = RecordingLock.recording(database: path)
    #expect(first?.isAlone == false)
    (first, second) = (nil, nil)
    #expect(RecordingLock.recording(database: path)?.isAlone == true)
    #expect(first == nil && second == nil)
  }

  @Test func testWhoChangesTheDatabase_KeepsRecordersOutAndIsKeptOutByThem() throws {
    var recorder = RecordingLock.recording(database: path)
    #expect(RecordingLock.alone(database: path) == nil)
    recorder = nil
    var change = RecordingLock.alone(database: path)
    #expect(change != nil && recorder == nil)
    #expect(RecordingLock.alone(database: path) == nil)
    #expect(RecordingLock.recording(database: path) == nil)
    change = nil
    #expect(RecordingLock.recording(database: path)?.isAlone == true)
    #expect(change == nil)
  }

  @Test func testPlaceThatCannotBeWritten_KeepsNobodyOut() throws {
    #expect(RecordingLock.alone(database: "/nonexistent/t.sqlite") == nil)
    let lock = try #require(RecordingLock.recording(database: "/nonexistent/t.sqlite"))
    #expect(!lock.isAlone && !lock.isHeld)
  }
}
