import Foundation
import Repository
import TachogramCore
import TachogramTestKit
import Testing

/// A copy in the place of a database that is damaged.
struct RestoreCommandTests {
  private let folder: TemporaryFolder
  private var database: String { folder.path("t.sqlite") }
  private var snapshots: SnapshotFolder { SnapshotFolder(nil, database: database) }

  /// A session, and a copy of it.
  init() async throws {
    folder = try TemporaryFolder()
    let capture = try FixtureLocator.capture("rest")
    let result = try await Program.run(["replay", capture, "--database", database])
    try #require(result.status == 0)
    try copy(at: 1_767_225_600_000_000)
  }

  private func copy(at microseconds: Int64) throws {
    let opened = try TachogramDatabase.open(path: database)
    try #require(try snapshots.add(opened, at: WallTime(microseconds: microseconds), keep: 2) == [])
    try opened.close()
  }

  private func restore(_ arguments: String...) async throws -> Program.Result {
    try await Program.run(["restore"] + arguments + ["--database", database])
  }

  /// The database, no longer readable; what it is then.
  private func damage() throws -> Data {
    let damaged = Data(repeating: 0xA5, count: 40_960)
    try damaged.write(to: URL(fileURLWithPath: database))
    return damaged
  }

  private func sessions() async throws -> Int {
    try await Program.sessions(in: database).count
  }

  private func replaced() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.contains(".replaced-") }
  }

  @Test func testSessionsOfTheReplacedDatabase_AreBroughtBack() async throws {
    let other = try FixtureLocator.capture("exercise")
    #expect(try await Program.run(["replay", other, "--database", database]).status == 0)
    let restored = try await restore()
    #expect(restored.status == 0 && restored.errors.contains("restore --sessions-of"), "\(restored.errors)")
    let file = folder.path(try #require(try replaced().first))
    #expect(try await sessions() == 1)
    #expect(try await restore("--sessions-of", file).text == "1 session was copied\n")
    #expect(try await restore("--sessions-of", file).text == "0 sessions were copied\n")
    #expect(try await sessions() == 2)
    #expect(try await restore("--sessions-of", database).status == 1)
    #expect(try await restore("--sessions-of", folder.path("none")).status == 1)
    #expect(try await restore("--sessions-of", file, "--list").status == 2)
  }

  /// What was copied under either name is found under both.
  @Test func testLinkToTheDatabase_HasItsCopies() async throws {
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "t.sqlite")
    let made = try #require(snapshots.snapshots().first).path
    let ofLink = folder.path("snapshots/link.-20260101T000001Z.sqlite")
    try FileManager.default.copyItem(atPath: made, toPath: ofLink)
    let list = try await Program.run(["restore", "--list", "--database", link]).text
    #expect(list.contains(made) && list.contains(ofLink), "\(list)")
    _ = try damage()
    #expect(try await Program.run(["restore", "--database", link]).status == 0)
    #expect(try await sessions() == 1)
  }

  @Test func testCopyOfAnotherSchema_IsRefusedAndReplacesNothing() async throws {
    let copy = folder.path("copy")
    let made = try #require(snapshots.snapshots().first).path
    var bytes = try Data(contentsOf: URL(fileURLWithPath: made))
    let table = try #require(bytes.firstRange(of: Data("CREATE TABLE owed".utf8)))
    let value = try #require(bytes[table.upperBound...].firstRange(of: Data("'sdnn'".utf8)))
    bytes.replaceSubrange(value, with: Data("'sdnm'".utf8))
    try bytes.write(to: URL(fileURLWithPath: copy))
    let result = try await restore(copy)
    #expect(result.status == 1 && result.errors.contains("table owed is another one"), "\(result.errors)")
    #expect(try replaced() == [])
  }

  /// A copy that was not whole when the power went is of no use to anybody.
  @Test func testUnfinishedCopy_IsRemoved() async throws {
    let left = ["", "-wal", ".part", ".part-journal"].map { database + ".restored-99999" + $0 }
    for command in [["restore"], ["delete", "--everything", "--yes"]] {
      for path in left { try Data([1]).write(to: URL(fileURLWithPath: path)) }
      #expect(try await Program.run(command + ["--database", database]).status == 0)
      #expect(left.filter(FileManager.default.fileExists) == [], "\(command)")
    }
    // But not what somebody else has called so, nor the one that is to be put in place.
    let own = database + ".restored-2026-01-05"
    let whole = database + ".restored-1"
    let copy = try #require(snapshots.newest(at: WallTime(microseconds: .max))).path
    for path in [own, whole] { try FileManager.default.copyItem(atPath: copy, toPath: path) }
    #expect(try await restore(whole).status == 0)
    #expect(FileManager.default.fileExists(atPath: own) && FileManager.default.fileExists(atPath: whole))
  }

  @Test func testDamagedDatabase_IsReplacedByTheCopyAndKept() async throws {
    let damaged = try damage()
    let result = try await restore()
    #expect(result.status == 0)
    #expect(try await sessions() == 1)
    let kept = try #require(try replaced().first)
    #expect(try replaced().count == 1)
    #expect(try Data(contentsOf: folder.url.appendingPathComponent(kept)) == damaged)
    #expect(
      result.text == "\(database) is \(snapshots.path)/t-20260101T000000Z.sqlite now; what was there is "
        + "\(folder.path(kept))\n")
  }

  /// The log of the damaged file must not be taken for that of the copy.
  @Test func testLogOfTheDatabase_IsNotThatOfTheCopy() async throws {
    _ = try damage()
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: database + "-wal"))
    #expect(try await restore().status == 0)
    #expect(try await sessions() == 1)
    #expect(try replaced().count { !$0.hasSuffix("-wal") } == 1)
  }

  /// Of a database that is sound, what a crash left in the log is in the file that is kept.
  @Test func testLogOfASoundDatabase_IsInTheKeptFile() async throws {
    let crashed = folder.path("crashed.sqlite")
    let opened = try TachogramDatabase.open(path: crashed)
    try StrapRepository(database: opened).remember(
      KnownStrap(address: BluetoothAddress(value: 1, kind: .public), name: "mine", added: WallTime(microseconds: 0)))
    for suffix in ["", "-wal"] {
      try? FileManager.default.removeItem(atPath: database + suffix)
      try FileManager.default.copyItem(atPath: crashed + suffix, toPath: database + suffix)
    }
    try opened.close()
    #expect(try await restore().status == 0)
    let kept = try #require(try replaced().first)
    #expect(try replaced().count == 1)
    let reopened = try TachogramDatabase.openReadOnly(path: folder.path(kept))
    #expect(try StrapRepository(database: reopened).straps().map(\.name) == ["mine"])
    try reopened.close()
  }

  /// What was stored since the copy is said to be elsewhere.
  @Test func testSessionsThatTheCopyDoesNotHave_AreCounted() async throws {
    #expect(try await restore().errors == "")
    let capture = try FixtureLocator.capture("exercise")
    _ = try await Program.success("replay", capture, "--database", database)
    let result = try await restore()
    #expect(result.errors.contains("1 session of what was there is not in the copy"), "\(result.errors)")
    #expect(try replaced().contains { result.errors.contains($0) })
  }

  @Test func testMissingDatabase_IsMadeOfTheCopy() async throws {
    try FileManager.default.removeItem(atPath: database)
    let result = try await restore()
    #expect(result.text == "\(database) is \(snapshots.path)/t-20260101T000000Z.sqlite now\n")
    #expect(try await sessions() == 1)
    #expect(try replaced() == [])
  }

  @Test func testCopies_AreListedTheNewestFirst() async throws {
    try copy(at: 1_767_229_200_000_000)
    let lines = try await restore("--list").text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("2026-01-01T01:00:00") == true)
    #expect(lines.last?.hasSuffix("t-20260101T000000Z.sqlite") == true)
  }

  @Test func testDatabaseInUse_IsLeftAlone() async throws {
    let damaged = try damage()
    let lock = try DatabaseLock(database: database, for: .recording)
    let result = try await restore()
    #expect(result.status == 1)
    #expect(result.errors.contains("stop it first"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == damaged)
    withExtendedLifetime(lock) {}
  }

  /// What is recorded would be lost with the file that is replaced.
  @Test(arguments: ["record", "station"])
  func testRecordingWhileItIsReplaced_IsRefused(command: String) async throws {
    let lock = try DatabaseLock(database: database, for: .exclusive)
    let capture = try FixtureLocator.capture("rest")
    let result = try await Program.run([command, "--replay", capture, "--speed", "max", "--database", database])
    #expect(result.status == 1)
    #expect(result.errors.contains("try again when that is done"), "\(result.errors)")
    withExtendedLifetime(lock) {}
  }

  @Test func testDamagedCopy_IsRefused() async throws {
    let copy = try #require(snapshots.snapshots().first).path
    try Data(repeating: 0xA5, count: 40_960).write(to: URL(fileURLWithPath: copy))
    let result = try await restore()
    #expect(result.status != 0)
    #expect(result.errors.contains(copy))
    #expect(try await sessions() == 1)
    #expect(try replaced() == [])
  }

  @Test func testWithoutACopy_ItSaysWhereItLooked() async throws {
    try FileManager.default.removeItem(atPath: snapshots.path)
    let result = try await restore()
    #expect(result.status == 1)
    #expect(
      result.errors
        == "tachogram: there is no copy of \(database) in \(snapshots.path); name one: tachogram restore COPY --database "
        + "\(database)\n")
  }

  /// Of another program, by its mark.
  private func makeForeign(_ path: String) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: database))
    bytes.replaceSubrange(68..<72, with: [0, 0, 0, 7])
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  /// It is said of the file that was given by name, not of the folder of copies.
  @Test(arguments: [
    ("folder", "is a folder"), ("pipe", "is a folder, a device, a pipe"), ("text", "is not a SQLite database"),
    ("foreign", "is a database of another program"), ("empty", "is empty"), ("missing", "there is no copy"),
    ("t.sqlite", "is the database itself"), ("link", "is the database itself"),
  ])
  func testFileThatIsNoCopy_IsNamedAndReplacesNothing(name: String, reason: String) async throws {
    let path = folder.path(name)
    switch name {
    case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case "pipe": try #require(mkfifo(path, 0o600) == 0)
    case "text": try Data("1000\n990\n".utf8).write(to: URL(fileURLWithPath: path))
    case "foreign": try makeForeign(path)
    case "empty": try Data().write(to: URL(fileURLWithPath: path))
    case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "t.sqlite")
    default: break
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    let result = try await restore(path)
    #expect(result.status == 1)
    #expect(result.errors.contains(path) && result.errors.contains(reason), "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == files)
    #expect(try await sessions() == 1)
  }

  /// A folder, a pipe or a database of another program is not put aside for a copy, with a copy given by name or without.
  @Test(arguments: ["folder", "pipe", "foreign", "loop"])
  func testPlaceThatIsNoDatabase_IsLeftAlone(name: String) async throws {
    let path = folder.path(name)
    let copy = try #require(snapshots.snapshots().first).path
    switch name {
    case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case "pipe": try #require(mkfifo(path, 0o600) == 0)
    case "foreign": try makeForeign(path)
    default: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: name)
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    for arguments in [["restore", copy], ["restore"]] {
      let result = try await Program.run(arguments + ["--database", path])
      #expect(result.status == 1)
      #expect(result.errors.contains(path) && !result.errors.contains("no copy"), "\(result.errors)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == files)
  }

  @Test func testMissingFolder_IsMadeForTheCopy() async throws {
    let copy = try #require(snapshots.snapshots().first).path
    let path = folder.path("new/inner/t.sqlite")
    #expect(try await Program.run(["restore", copy, "--database", path]).status == 0)
    #expect(FileManager.default.fileExists(atPath: path))
  }
}
