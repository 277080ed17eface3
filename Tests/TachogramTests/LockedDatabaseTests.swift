import Foundation
import Repository
import TachogramCore
import TachogramTestKit
import Testing

/// Commands that write to a database, beside one that replaces it or deletes from it.
struct LockedDatabaseTests {
  private let folder: TemporaryFolder
  private var database: String { folder.path("t.sqlite") }

  /// A session, and a copy of the database from before it.
  init() async throws {
    folder = try TemporaryFolder()
    let opened = try TachogramDatabase.open(path: database)
    try StrapRepository(database: opened).remember(
      KnownStrap(address: BluetoothAddress(value: 1, kind: .public), name: "mine", added: WallTime(microseconds: 0)))
    try #require(try opened.snapshot(to: folder.path("copy.sqlite")) == [])
    try opened.close()
    _ = try await Program.success("replay", Self.capture("exercise"), "--database", database)
  }

  private static func capture(_ name: String) throws -> String {
    try FixtureLocator.capture(name)
  }

  private func sessions(in path: String) throws -> Set<String> {
    let reading = try TachogramDatabase.openReadOnly(path: path)
    defer { try? reading.close() }
    return Set(try SessionRepository(database: reading).sessions().map(\.description.id))
  }

  private func replaced() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      .filter { $0.contains(".replaced-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.map(folder.path)
  }

  private func arguments(_ writer: String) throws -> [String] {
    let capture = try Self.capture("rest")
    return switch writer {
    case "record", "station": [writer, "--replay", capture, "--speed", "max"]
    case "straps rename": ["straps", "rename", "mine", "other"]
    case "straps assign": ["straps", "assign", "mine", "--person", "Anna"]
    case "straps forget": ["straps", "forget", "mine"]
    default: [writer, capture]
    }
  }

  /// Nothing is stored, and nothing says that it is.
  @Test(arguments: [
    "import", "replay", "record", "station", "straps rename", "straps assign", "straps forget",
  ])
  func testWriter_IsRefusedWhileTheDatabaseIsReplaced(writer: String) async throws {
    let lock = try DatabaseLock(database: database, for: .exclusive)
    let before = try Data(contentsOf: URL(fileURLWithPath: database))
    let result = try await Program.run(arguments(writer) + ["--database", database])
    #expect(result.status == 1)
    #expect(result.errors.contains("\(database) is locked by a running restore, delete or import"), "\(result.errors)")
    #expect(!result.text.contains("session "), "\(result.text)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == before)
    withExtendedLifetime(lock) {}
  }

  @Test(arguments: [["restore", "copy"], ["delete", "--everything", "--yes"]])
  func testReplacing_IsRefusedWhileSomebodyWrites(command: [String]) async throws {
    let before = try sessions(in: database)
    let writer = try TachogramDatabase.open(path: database)
    let arguments = command.map { $0 == "copy" ? folder.path("copy.sqlite") : $0 }
    let result = try await Program.run(arguments + ["--database", database])
    #expect(result.status == 1)
    #expect(result.errors.contains("in use by a running import, replay"), "\(result.errors)")
    try writer.close()
    #expect(try sessions(in: database) == before)
    #expect(try replaced().isEmpty)
    #expect(try await Program.run(arguments + ["--database", database]).status == 0)
    #expect(try sessions(in: database).isEmpty)
  }

  /// The replay has begun when its first line is there: it holds the lock from before that to its end.
  @Test func testRestoreDuringAReplay_IsRefusedAndWhatWasReadIsStored() async throws {
    let replay = try Program.start([
      "replay", try Self.capture("rest"), "--speed", "1", "--format", "ndjson", "--database", database,
    ])
    var pieces = replay.pieces.makeAsyncIterator()
    _ = await pieces.next()
    for command in [["restore", folder.path("copy.sqlite")], ["delete", "--everything", "--yes"]] {
      let result = try await Program.run(command + ["--database", database])
      #expect(result.status == 1 && result.errors.contains("in use by a running"), "\(result.errors)")
    }
    replay.interrupt()
    #expect(await replay.end().status == 130)
    #expect(try sessions(in: database).count == 2)
  }

  /// Whatever comes first: what is said to be stored is in the database, or in the one that was put aside after it was stored.
  @Test(arguments: 0..<8)
  func testImportAndRestoreAtOnce_LoseNothingThatIsStored(round: Int) async throws {
    let capture = try Self.capture("rest")
    let commands = [
      ["import", capture, "--database", database], ["restore", folder.path("copy.sqlite"), "--database", database],
    ]
    let first = try Program.start(commands[round % 2])
    let second = try Program.start(commands[1 - round % 2])
    let endings = [await first.end(), await second.end()]
    let (imported, restored) = (endings[round % 2], endings[1 - round % 2])
    #expect([0, 1].contains(imported.status) && [0, 1].contains(restored.status))
    #expect(imported.status == 0 || restored.status == 0, "both refused each other")
    let known = try sessions(in: folder.path("copy.sqlite"))
    let now = try sessions(in: database).subtracting(known)
    let aside = try replaced()
    #expect(aside.count == (restored.status == 0 ? 1 : 0))
    for refused in endings where refused.status == 1 {
      #expect(refused.errors.contains("locked by a running") || refused.errors.contains("in use by a running"))
    }
    let isStored = imported.text.contains("session ")
    #expect(isStored == (imported.status == 0))
    switch (imported.status, restored.status) {
    case (0, 0):
      // The import was over before the restore began, or began behind it.
      let before = try sessions(in: aside[0])
      #expect(now.count == 1 && before.count == 1 || now.count == 0 && before.count == 2)
    case (0, _): #expect(now.count == 2)
    default: #expect(now.count == 0)
    }
    for path in [database] + aside {
      let database = try TachogramDatabase.openReadOnly(path: path)
      #expect(try database.checkIntegrity() == [])
      try database.close()
    }
  }

  /// What is only read holds nobody up.
  @Test func testReader_DoesNotKeepARestoreOut() async throws {
    let reading = try TachogramDatabase.openReadOnly(path: database)
    #expect(try await Program.run(["restore", folder.path("copy.sqlite"), "--database", database]).status == 0)
    #expect(try SessionRepository(database: reading).sessions().count == 1)
    try reading.close()
    #expect(try sessions(in: database).isEmpty)
  }

  /// One that is open elsewhere, with a log that its file does not hold.
  @Test func testRestoredCopy_MayHaveALog() async throws {
    let live = try TachogramDatabase.open(path: folder.path("live.sqlite"))
    try StrapRepository(database: live).remember(
      KnownStrap(address: BluetoothAddress(value: 2, kind: .public), name: "logged", added: WallTime(microseconds: 0)))
    #expect(try await Program.run(["restore", folder.path("live.sqlite"), "--database", database]).status == 0)
    try live.close()
    let restored = try TachogramDatabase.openReadOnly(path: database)
    #expect(try StrapRepository(database: restored).straps().map(\.name).contains("logged"))
    try restored.close()
  }

  @Test func testRestoreThroughALink_ReplacesWhatItLeadsTo() async throws {
    let link = folder.path("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: database)
    #expect(try await Program.run(["restore", folder.path("copy.sqlite"), "--database", link]).status == 0)
    #expect(try sessions(in: database).isEmpty)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == database)
  }
}
