import Foundation
import Repository
import Station
import TachogramCore
import TachogramTestKit
import Testing

/// A snapshot that was requested before the station starts, as after a power cut.
@Suite("Requested snapshots")
struct RestoreRequestTests {
  private let folder: TemporaryFolder
  private var database: String { folder.path("t.sqlite") }
  private var snapshots: SnapshotFolder { SnapshotFolder(nil, database: database) }
  private let first: String

  /// A session that a snapshot holds, and one that it lacks.
  init() async throws {
    folder = try TemporaryFolder()
    let database = folder.path("t.sqlite")
    let rest = try FixtureLocator.capture("rest")
    try #require(try await Program.run(["replay", rest, "--database", database]).status == 0)
    first = try #require(try await Program.sessions(in: database).first?["id"] as? String)
    let opened = try TachogramDatabase.open(path: database)
    let folder = SnapshotFolder(nil, database: database)
    try #require(try folder.add(opened, at: WallTime(microseconds: 1_767_225_600_000_000), keep: 2) == [])
    try opened.close()
    let exercise = try FixtureLocator.capture("exercise")
    try #require(try await Program.run(["replay", exercise, "--database", database]).status == 0)
  }

  /// Runs a station until its page is served. Returns its errors.
  private func startStation() async throws -> String {
    let capture = try FixtureLocator.capture("two-straps")
    let process = try Program.start(["station", "--replay", capture, "--port", "0", "--database", database])
    var text = ""
    for await piece in process.pieces {
      text += String(decoding: piece, as: UTF8.self)
      if text.contains("the page is on") { break }
    }
    process.send(SIGTERM)
    let result = await process.end()
    #expect(result.status == 0)
    return result.errors
  }

  private func sessions() async throws -> Set<String> {
    Set(try await Program.sessions(in: database).compactMap { $0["id"] as? String })
  }

  private func replaced() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.contains(".replaced-") }
  }

  @Test func testRequestedSnapshot_IsRestoredAtTheStart() async throws {
    let before = try await sessions()
    try RestoreRequest(database: database).write(try #require(snapshots.snapshots().first).path)
    #expect(try await startStation().contains("a snapshot was restored"))
    let after = try await sessions()
    #expect(after.contains(first) && after.isDisjoint(with: before.subtracting([first])))
    #expect(try RestoreRequest(database: database).read() == nil)
    let kept = folder.path(try #require(try replaced().first))
    #expect(Set(try await Program.sessions(in: kept).compactMap { $0["id"] as? String }) == before)
  }

  @Test(arguments: [true, false])
  func testSnapshotThatCannotBeRestored_ChangesNothing(exists: Bool) async throws {
    let before = try await sessions()
    let path = folder.path("other.sqlite")
    if exists { try Data(repeating: 0xA5, count: 40_960).write(to: URL(fileURLWithPath: path)) }
    try RestoreRequest(database: database).write(path)
    #expect(try await startStation().contains("the snapshot was not restored"))
    #expect(try await sessions().isSuperset(of: before))
    #expect(try replaced() == [])
    #expect(try RestoreRequest(database: database).read() == nil)
  }

  /// The station offers the copy, does not restore it by itself, and stores what it receives beside the damaged database.
  @Test func testStationOnADamagedDatabase_SaysWhatToDo() async throws {
    let damaged = Data(repeating: 0x5A, count: 8192)
    try damaged.write(to: URL(fileURLWithPath: database))
    let errors = try await startStation()
    #expect(errors.contains("is damaged") && errors.contains("`tachogram restore --database \(database)`"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == damaged)
    #expect(FileManager.default.fileExists(atPath: database + "-interim"))
    try #require(try await Program.run(["restore", "--database", database]).status == 0)
    _ = try await startStation()
    #expect(try await sessions().contains(first))
    #expect(!FileManager.default.fileExists(atPath: database + "-interim"))
  }
}
