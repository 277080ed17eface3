import Foundation
import TachogramCore
import TachogramTestKit
import Testing

struct ReplayCommandTests {
  private func fixture(_ name: String) throws -> String {
    try FixtureLocator.capture(name)
  }

  @Test(arguments: ["rest", "two-links", "lost-notifications", "malformed", "no-discovery", "contact-loss"])
  func testExportedSession_ReplaysToTheSameReport(name: String) async throws {
    let folder = try TemporaryFolder()
    let database = folder.path("t.sqlite")
    let first = try await Program.run(["replay", try fixture(name), "--format", "json", "--database", database])
    #expect(first.status == 0)
    let session = try #require((try first.object()["session"] as? [String: Any])?["id"] as? String)
    let export = folder.path("export.btsnoop")
    let exported = try await Program.run(
      ["export", session, "--format", "btsnoop", "--output", export, "--database", database])
    #expect(exported.status == 0, "\(exported.errors)")
    let second = try await Program.run(["replay", export, "--format", "json"])
    #expect(try withoutCapture(first) == withoutCapture(second))
    let again = folder.path("again.sqlite")
    _ = try await Program.run(["replay", export, "--database", again])
    let twice = folder.path("twice.btsnoop")
    _ = try await Program.run(["export", session, "--format", "btsnoop", "-o", twice, "--database", again])
    #expect(try Data(contentsOf: URL(fileURLWithPath: export)) == Data(contentsOf: URL(fileURLWithPath: twice)))
  }

  /// The report without the section that describes the file itself, and without segments, as bytes.
  private func withoutCapture(_ result: Program.Result) throws -> Data {
    var object = try result.object()
    object["capture"] = nil
    // Those of a replay are not computed.
    if var hrv = object["hrv"] as? [String: Any] {
      hrv["segments"] = nil
      object["hrv"] = hrv
    }
    return try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
  }

  /// The report alone is made while the capture is surveyed, everything else behind that.
  @Test func testLongCapture_ReportsTheSameWithAndWithoutDatabase() async throws {
    // Given: two straps, each on two links
    let straps = (1...2).map { number in
      var strap = SimulatedStrap()
      strap.duration = 2_000
      strap.seed = UInt64(number)
      var entries = CaptureBuilder.entries(strap.notifications())
      for index in entries.indices where index >= 1_200 { entries[index].link = 1 }
      return (identity: CaptureBuilder.strap(UInt8(number)), entries: entries)
    }
    let folder = try TemporaryFolder()
    let path = folder.path("long.btsnoop")
    try Data(CaptureBuilder.capture(straps)).write(to: URL(fileURLWithPath: path))
    // When
    let alone = try await Program.run(["replay", path, "--format", "json"])
    let stored = try await Program.run(["replay", path, "--format", "json", "--database", folder.path("t.sqlite")])
    // Then
    #expect(alone.status == 0, "\(alone.errors)")
    #expect(alone.output == stored.output)
    let second = ["replay", path, "--format", "json", "--strap", straps[1].identity.address.description]
    let chosen = try await Program.run(second)
    #expect(chosen.status == 0, "\(chosen.errors)")
    #expect(try chosen.object()["otherStraps"] == nil)
    #expect(try await Program.run(second + ["--database", folder.path("u.sqlite")]).output == chosen.output)
    #expect((try alone.object()["notifications"] as? [String: Any])?["total"] as? Int == 2_000)
  }

  @Test func testReplayTwice_GivesTheSameBytes() async throws {
    for format in ["json", "ndjson", "text"] {
      let first = try await Program.run(["replay", try fixture("two-straps"), "--format", format])
      let second = try await Program.run(["replay", try fixture("two-straps"), "--format", format])
      #expect(first.status == 0)
      #expect(!first.output.isEmpty)
      #expect(first.output == second.output)
    }
  }

  @Test func testReplayTwiceIntoOneDatabase_ChangesNothing() async throws {
    let folder = try TemporaryFolder()
    let arguments = ["replay", try fixture("two-links"), "--database", folder.path("t.sqlite"), "--format", "json"]
    let first = try await Program.run(arguments)
    let listed = try await Program.run(["sessions", "--database", folder.path("t.sqlite"), "--format", "json"])
    let second = try await Program.run(arguments)
    #expect(first.output == second.output)
    let listedAgain = try await Program.run(["sessions", "--database", folder.path("t.sqlite"), "--format", "json"])
    #expect(listed.output == listedAgain.output)
  }

  @Test func testOtherCaptureThatBeginsAlike_IsRefusedAndLeavesTheStoredSession() async throws {
    let folder = try TemporaryFolder()
    let database = folder.path("t.sqlite")
    let stored = try await Program.run(
      ["replay", try fixture("rest"), "--person", "A", "--hrv", "rmssd", "--format", "json", "--database", database])
    let id = try #require((try stored.object()["session"] as? [String: Any])?["id"] as? String)
    let export = ["export", id, "--format", "json", "--database", database]
    let derived = try await Program.run(export)
    let before = try await Program.run(["sessions", "--database", database, "--format", "json"])
    let other = try await Program.run(["replay", try fixture("malformed"), "--person", "B", "--database", database])
    #expect(other.status == 1)
    #expect(other.errors.contains("49"))
    let after = try await Program.run(["sessions", "--database", database, "--format", "json"])
    #expect(before.output == after.output)
    #expect(derived.status == 0)
    #expect(try await Program.run(export).output == derived.output)
    let part = try await Program.run(["replay", try fixture("cut-file"), "--person", "A", "--database", database])
    #expect(part.status == 0)
    let whole = try await Program.run(["sessions", "--database", database, "--format", "json"])
    #expect(before.output == whole.output)
  }

  @Test func testStoredSession_AnalyzesToTheReplayedReport() async throws {
    let folder = try TemporaryFolder()
    let database = folder.path("t.sqlite")
    let replayed = try await Program.run(["replay", try fixture("rest"), "--format", "json", "--database", database])
    let session = try #require((try replayed.object()["session"] as? [String: Any])?["id"] as? String)
    let analyzed = try await Program.run(
      ["analyze", "--session", String(session.prefix(8)), "--format", "json", "--database", database])
    #expect(try withoutCapture(replayed) == withoutCapture(analyzed))
  }

  @Test func testExportedIntervals_AnalyzeToTheSameMetrics() async throws {
    let folder = try TemporaryFolder()
    let database = folder.path("t.sqlite")
    let replayed = try await Program.run([
      "replay", try fixture("lost-notifications"), "--format", "json", "--database", database,
    ])
    let session = try #require((try replayed.object()["session"] as? [String: Any])?["id"] as? String)
    _ = try await Program.run([
      "export", session, "--format", "rr", "-o", folder.path("rr.txt"), "--database", database,
    ])
    let analyzed = try await Program.run(["analyze", folder.path("rr.txt"), "--format", "json"])
    let raw = try #require((try replayed.object()["hrv"] as? [String: Any])?["raw"] as? [String: Any])
    let text = try #require((try analyzed.object()["hrv"] as? [String: Any])?["raw"] as? [String: Any])
    for metric in ["meanNN", "sdnn", "rmssd", "sdsd", "pnn50", "sd1", "sd2"] {
      #expect(raw[metric] as? Double == text[metric] as? Double, "\(metric)")
    }
  }

  @Test func testEventLines_AreOneObjectEach() async throws {
    let result = try await Program.run(["replay", try fixture("two-links"), "--format", "ndjson"])
    var events: [String: Int] = [:]
    for line in result.text.split(separator: "\n") {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      events[try #require(object["event"] as? String), default: 0] += 1
    }
    #expect(events["notification"] == 330)
    #expect(events["linkDown"] == 1)
    #expect(events["gap"] == 1)
    #expect(events["beat"] == 341)
    #expect(events["report"] == 1)
    #expect((events["window"] ?? 0) > 0 && (events["stress"] ?? 0) > 0)
  }

  @Test func testStrapOption_SelectsOneStrap() async throws {
    let result = try await Program.run(
      ["replay", try fixture("two-straps"), "--strap", "c0:ff:ee:00:00:02", "--format", "json"])
    #expect((try result.object()["strap"] as? [String: Any])?["name"] as? String == "Strap B")
    #expect(try result.object()["otherStraps"] == nil)
    let unknown = try await Program.run(["replay", try fixture("two-straps"), "--strap", "C0:FF:EE:00:00:03"])
    #expect(unknown.status == 3)
    #expect(unknown.errors.contains("C0:FF:EE:00:00:01"))
  }

  @Test func testSeveralFiles_AreReportedTogether() async throws {
    let result = try await Program.run(
      ["replay", try fixture("rest"), try fixture("no-heart-rate"), try fixture("energy"), "--format", "json"])
    #expect(result.status == 3)
    #expect((try result.object()["reports"] as? [Any])?.count == 2)
    #expect(result.errors.contains("no-heart-rate"))
  }

  /// Each is reported by its name, and the exit code is that of the first.
  @Test(arguments: ["analyze", "replay"])
  func testFilesThatCannotBeRead_DoNotStopTheOthers(command: String) async throws {
    let folder = try TemporaryFolder()
    let text = folder.path("rr.txt")
    try Data(String(repeating: "800\n810\n", count: 50).utf8).write(to: URL(fileURLWithPath: text))
    let good = command == "analyze" ? text : try fixture("rest")
    let missing = folder.path("missing")
    let result = try await Program.run(
      [command, missing, "/dev/zero", folder.url.path, "/proc/self/mem", good, "--format", "json"])
    #expect(result.status == 1)
    #expect((try result.object()["reports"] as? [Any])?.count == 1)
    #expect(result.errors.split(separator: "\n").count == 4)
    for name in [missing, "/dev/zero", "\(folder.url.path): is a folder", "/proc/self/mem"] {
      #expect(result.errors.contains(name), "\(name)")
    }
  }

  @Test(arguments: [[], ["--database"], ["--speed", "max", "--format", "ndjson"]], [true, false])
  func testPipe_ReplaysAsTheFileDoes(options: [String], isNamed: Bool) async throws {
    let folder = try TemporaryFolder()
    let file = try fixture("two-links")
    func arguments(_ input: String, _ database: String) -> [String] {
      let options = options == ["--database"] ? options + [folder.path(database)] : options
      return ["replay", input, "--format", "json"] + options
    }
    let plain = try await Program.run(arguments(file, "plain.sqlite"))
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
    let piped: Program.Result
    if isNamed {
      let pipe = try NamedPipe(folder.path("pipe"))
      let process = try Program.start(arguments(pipe.path, "piped.sqlite"))
      let writer = try await pipe.writer()
      await NamedPipe.write(bytes, to: writer)
      try writer.close()
      piped = await process.end()
    } else {
      let input = Pipe()
      let process = try Program.start(arguments("-", "piped.sqlite"), input: input.fileHandleForReading)
      await NamedPipe.write(bytes, to: input.fileHandleForWriting)
      try input.fileHandleForWriting.close()
      piped = await process.end()
    }
    #expect(plain.status == 0 && piped.status == 0, "\(piped.errors)")
    #expect(!plain.output.isEmpty && piped.output == plain.output)
  }

  /// From where whoever started the program has read to.
  @Test func testFileAsStandardInput_IsReadFromWhereItStands() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("f")
    let capture = try Data(contentsOf: URL(fileURLWithPath: fixture("rest")))
    try (Data("a heading\n".utf8) + capture).write(to: URL(fileURLWithPath: file))
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
    try handle.seek(toOffset: 10)
    let process = try Program.start(["replay", "-", "--format", "json"], input: handle)
    let result = await process.end()
    let plain = try await Program.run(["replay", try fixture("rest"), "--format", "json"])
    #expect(result.status == 0 && result.output == plain.output, "\(result.errors)")
  }

  @Test func testInterrupt_LeavesAValidDatabaseThatCanBeContinued() async throws {
    let folder = try TemporaryFolder()
    let database = folder.path("t.sqlite")
    let process = try Program.start(
      ["replay", try fixture("rest"), "--speed", "4", "--format", "ndjson", "--database", database])
    // Five events have come: the replay is under way.
    var lines = 0
    for await piece in process.pieces {
      lines += piece.count { $0 == UInt8(ascii: "\n") }
      if lines >= 5 { break }
    }
    try #require(lines >= 5, "the program ended before it was interrupted")
    process.interrupt()
    #expect(await process.end().status == 130)
    let sessions = try await Program.sessions(in: database)
    #expect(sessions.count == 1)
    #expect(sessions.first?["complete"] as? Bool == false)
    #expect((sessions.first?["entries"] as? Int ?? 0) > 0)
    let completed = try await Program.run(["replay", try fixture("rest"), "--format", "json", "--database", database])
    let plain = try await Program.run(["replay", try fixture("rest"), "--format", "json"])
    #expect(completed.output == plain.output)
    let complete = try await Program.sessions(in: database)
    #expect(complete.map { $0["complete"] as? Bool } == [true])
    #expect(complete.map { $0["entries"] as? Int } == [360])
  }
}
