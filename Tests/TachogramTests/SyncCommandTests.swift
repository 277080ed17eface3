import Foundation
import Glibc
import TachogramTestKit
import Testing

/// The `sync` commands on two stations that share a folder.
@Suite(.timeLimit(.minutes(5)))
struct SyncCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The files of a kind in the store.
  private func files(_ kind: String) -> [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path("store"))) ?? []
    return names.filter { name in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: folder.path("store/\(name)"), isDirectory: &isFolder)
      return name.contains("/\(kind)/") && !isFolder.boolValue
    }.sorted()
  }

  // MARK: - Another process that synchronises

  @Test(arguments: ["status", "members", "log"])
  func testAnotherProcessSynchronises_ReadingCommandsDoNotWait(command: String) async throws {
    let station = try SyncStation("kitchen", in: folder)
    try await station.found()
    let lock = try station.lock()
    defer { close(lock) }
    let result = try await station.sync(command)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func testAnotherProcessSynchronises_OthersSayThatTheyWait() async throws {
    let station = try SyncStation("kitchen", in: folder)
    try await station.found()
    let lock = try station.lock()
    let process = try station.start("now")
    let text = await SyncStation.output(of: process, until: "another process synchronises")
    close(lock)
    let ending = await process.end()
    #expect(text.hasPrefix("tachogram: another process synchronises") && ending.status == 0, "\(ending.text)")
    #expect(ending.text.ranges(of: "another process").count == 1)
  }

  @Test(arguments: ["status", "members", "log", "now"])
  func testStationOfNoSpace_SaysWhatToDo(command: String) async throws {
    let result = try await SyncStation("kitchen", in: folder).sync(command)
    #expect(result.status == 1 && result.errors.contains("is not a member of a space; run `tachogram sync init`"))
  }

  // MARK: - Interrupts

  @Test(arguments: [SIGINT, SIGTERM])
  func testInterruptedInvitation_EndsWithoutAFailure(signal: Int32) async throws {
    let station = try SyncStation("kitchen", in: folder)
    try await station.found()
    let (process, _) = try await station.invite()
    process.send(signal)
    let ending = await process.end()
    #expect(ending.status == 130 && ending.text.contains("tachogram: stopped by the user\n"), "\(ending.text)")
    #expect(try await station.sync("status", "--format", "json").object()["problem"] == nil)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func testInterruptedJoin_DeletesItsRequest(signal: Int32) async throws {
    let station = try SyncStation("kitchen", in: folder)
    try await station.found()
    let (inviting, invitation) = try await station.invite()
    // Nothing answers.
    inviting.send(SIGKILL)
    _ = await inviting.end()
    let other = try SyncStation("desk", in: folder)
    let process = try other.start("join", invitation, "--store", other.store)
    while files("joining").isEmpty { await Task.yield() }
    process.send(signal)
    let ending = await process.end()
    #expect(ending.status == 130 && ending.text.contains("tachogram: stopped by the user\n"), "\(ending.text)")
    #expect(files("joining").isEmpty)
  }

  // MARK: - What is entered and deleted

  @Test func testReplacedNote_IsListedInOneLine() async throws {
    let stations = try await SyncStation.make("kitchen", "desk", in: folder)
    let session = try await stations[0].importSession()
    for (station, note) in [(stations[0], "one\ntwo"), (stations[1], "three\r\nfour")] {
      try await station.synchronise()
      #expect(try await station.run(["sessions", "edit", session, "--note", note]).status == 0)
      try await station.synchronise()
    }
    let lines = try await stations[1].sync("log").text.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("“three four”") && lines[1].contains("“one two”"), "\(lines)")
  }

  @Test func testImportOfDeletedSession_Warns() async throws {
    let station = try SyncStation("kitchen", in: folder)
    try await station.found()
    let session = try await station.importSession()
    try FileManager.default.copyItem(atPath: station.database, toPath: folder.path("old.sqlite"))
    for arguments in [["import", "\(folder.path("kitchen"))/rr.txt"], ["restore", "--sessions-of"]] {
      let arguments =
        arguments + (arguments[0] == "import" ? ["--start", "2026-03-29T07:00:00Z"] : [folder.path("old.sqlite")])
      #expect(try await station.run(arguments).errors.isEmpty)
      try await station.synchronise()
      #expect(try await station.run(["delete", session, "--yes"]).status == 0)
      try await station.synchronise()
      let result = try await station.run(arguments)
      #expect(result.status == 0)
      #expect(
        result.errors.hasPrefix("tachogram: warning: 1 session was deleted in the space on 2"), "\(result.errors)")
      #expect(result.errors.hasSuffix("; it stays on this station alone\n"))
    }
  }

  @Test func testRepairOfOneChunk_SaysSoInTheSingular() async throws {
    let station = try SyncStation("kitchen", in: folder)
    try await station.found()
    #expect(try await station.sync("repair").text == "The store has all chunks of this station.\n")
    let chunk = try #require(files("chunks").first)
    try FileManager.default.removeItem(atPath: folder.path("store/\(chunk)"))
    let repaired = try await station.sync("repair")
    #expect(repaired.text == "1 chunk of this station was missing or damaged and is there again.\n")
  }
}
