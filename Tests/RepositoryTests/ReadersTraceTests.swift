import Foundation
import GRDB
import TachogramCore
import TachogramTestKit
import Testing

@testable import Repository

/// What only reads leaves nothing beside a database, and nothing of another process is deleted.
struct ReadersTraceTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("f/t.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("f"), withIntermediateDirectories: false)
    try TachogramDatabase.open(path: path).close()
  }

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path("f")))
  }

  private func read() throws -> TachogramDatabase {
    let database = try TachogramDatabase.openReadOnly(path: path)
    try database.probe()
    return database
  }

  private static let strap = KnownStrap(
    address: BluetoothAddress(value: 0xC000_0000_0001, kind: .random), name: "mine", advertisedName: "HRM",
    isBonded: true, added: WallTime(microseconds: 1))
  private static let alone: Set = ["t.sqlite", "t.sqlite-recording"]

  @Test(arguments: [true, false])
  func testReader_LeavesNothing(isClosed: Bool) throws {
    do {
      let database = try read()
      if isClosed { try database.close() }
    }
    #expect(try names() == Self.alone)
  }

  /// The first has made the files, and the last leaves none.
  @Test func testTwoReaders_LeaveNothing() throws {
    let (first, second) = (try read(), try read())
    try first.close()
    try second.probe()
    #expect(try names().contains("t.sqlite-shm"))
    try second.close()
    #expect(try names() == Self.alone)
  }

  @Test func testWhatAReaderBeforeItLeft_IsDeleted() throws {
    for suffix in ["-wal", "-shm"] { try folder.write([], to: "f/t.sqlite" + suffix) }
    try read().close()
    #expect(try names() == Self.alone)
  }

  /// Between two commits the log of a writer may hold nothing.
  @Test func testReaderBesideAWriter_LeavesItsFiles() throws {
    let writer = try TachogramDatabase.open(path: path)
    _ = try writer.checkpoint(.truncate)
    try read().close()
    #expect(try names() == Self.alone.union(["t.sqlite-wal", "t.sqlite-shm"]))
    try StrapRepository(database: writer).remember(Self.strap)
    try writer.close()
    let reader = try read()
    #expect(try StrapRepository(database: reader).straps().count == 1)
  }

  /// As after a power cut.
  @Test func testLogThatHoldsSomething_Stays() throws {
    let writer = try TachogramDatabase.open(path: path)
    try StrapRepository(database: writer).remember(Self.strap)
    let log = try folder.read("f/t.sqlite-wal")
    let file = try folder.read("f/t.sqlite")
    try writer.close()
    try folder.write(file, to: "f/t.sqlite")
    try folder.write(log, to: "f/t.sqlite-wal")
    let reader = try read()
    #expect(try StrapRepository(database: reader).straps().count == 1)
    try reader.close()
    #expect(!log.isEmpty)
    #expect(try folder.read("f/t.sqlite-wal") == log)
    #expect(try folder.read("f/t.sqlite") == file)
  }

  /// The name belongs to another file by then.
  @Test func testReaderOfAFileThatLostItsName_LeavesTheOtherAlone() throws {
    let reader = try read()
    try FileManager.default.moveItem(atPath: path, toPath: folder.path("old"))
    for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + suffix) }
    try TachogramDatabase.open(path: path).close()
    for suffix in ["-wal", "-shm"] { try folder.write([], to: "f/t.sqlite" + suffix) }
    try reader.close()
    #expect(try names() == Self.alone.union(["t.sqlite-wal", "t.sqlite-shm"]))
  }
}
