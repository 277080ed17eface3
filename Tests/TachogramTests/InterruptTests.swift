import BlueZ
import DBus
import FakeBlueZ
import Foundation
import Synchronization
import TachogramCore
import TachogramTestKit
import Testing

/// The first SIGINT or SIGTERM ends a command, whatever it waits for.
@Suite(.timeLimit(.minutes(5)))
struct InterruptTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var database: String { folder.path("t.sqlite") }

  private func capture() throws -> String {
    try FixtureLocator.capture("rest")
  }

  private func sessions() async throws -> [[String: Any]] { try await Program.sessions(in: database) }

  /// The time is much more than it takes, for a machine that is busy.
  private func expectEnd(_ process: ChildProcess, of signal: Int32, status: Int32 = 130) async {
    let clock = ContinuousClock()
    let start = clock.now
    process.send(signal)
    let ending = await process.end()
    #expect(ending.reason == .exit)
    #expect(ending.status == status, "\(ending.errors)")
    #expect(clock.now - start < .seconds(30))
    if status == 130 { #expect(ending.errors.contains("stopped by the user")) }
  }

  // MARK: - Input

  @Test(arguments: [["analyze"], ["replay"], ["replay", "--database"], ["import", "--database"]], [SIGINT, SIGTERM])
  func testPipeThroughWhichNothingComes_DoesNotKeepIt(command: [String], signal: Int32) async throws {
    let pipe = try NamedPipe(folder.path("pipe"))
    let process = try Program.start([command[0], pipe.path] + (command.count > 1 ? ["--database", database] : []))
    let writer = try await pipe.writer()
    await expectEnd(process, of: signal)
    try writer.close()
    // What it made to store into, and stored nothing in.
    #expect(folder.files() == ["pipe"])
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func testPipeWithTheBeginningOfASession_LeavesNoDatabase(signal: Int32) async throws {
    let pipe = try NamedPipe(folder.path("pipe"))
    let process = try Program.start(["import", pipe.path, "--database", database])
    let writer = try await pipe.writer()
    await NamedPipe.write(Array(String(repeating: "800\n", count: 50_000).utf8), to: writer)
    await expectEnd(process, of: signal)
    try writer.close()
    #expect(folder.files() == ["pipe"])
  }

  /// As Ctrl-C does at a pipeline: whoever writes ends as well, and its end is not that of the recording.
  @Test(arguments: [("import", ""), ("import", "800\n"), ("import", "{\"session\""), ("replay", "")])
  func testPipeThatEndsWithTheSignal_IsNotTakenForWhole(command: String, beginning: String) async throws {
    let pipe = try NamedPipe(folder.path("pipe"))
    let process = try Program.start([command, pipe.path, "--database", database])
    let writer = try await pipe.writer()
    await NamedPipe.write(Array(String(repeating: beginning, count: 50_000).utf8), to: writer)
    process.send(SIGINT)
    // What the signal leaves it to do takes longer than the end of the pipe to come.
    try writer.close()
    let ending = await process.end()
    #expect(ending.status == 130, "\(ending.errors)")
    #expect(ending.errors.contains("stopped by the user"))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func testPipeThatNobodyOpens_DoesNotKeepIt(signal: Int32) async throws {
    let pipe = try NamedPipe(folder.path("pipe"))
    let file = folder.path("rr.txt")
    try Data(String(repeating: "800\n810\n", count: 100).utf8).write(to: URL(fileURLWithPath: file))
    let process = try Program.start(["analyze", file, pipe.path, "--format", "ndjson"])
    // The report of the file: the pipe is next.
    for await _ in process.pieces { break }
    await expectEnd(process, of: signal)
  }

  @Test(arguments: ["-", "/dev/stdin"], ["analyze", "replay"])
  func testStandardInputThatDoesNotEnd_DoesNotKeepIt(name: String, command: String) async throws {
    let input = Pipe()
    let process = try Program.start([command, name], input: input.fileHandleForReading)
    try input.fileHandleForReading.close()
    // More than a pipe holds: when it is written, the program has read most of it and waits for more.
    let beginning =
      command == "analyze"
      ? Array(String(repeating: "800\n", count: 50_000).utf8)
      : Array(try Data(contentsOf: URL(fileURLWithPath: capture()))) + Array(repeating: UInt8(0), count: 200_000)
    await NamedPipe.write(beginning, to: input.fileHandleForWriting)
    await expectEnd(process, of: SIGINT)
    try input.fileHandleForWriting.close()
  }

  // MARK: - Output

  @Test(arguments: [true, false])
  func testReaderThatStopsReading_DoesNotKeepAReplay(isStored: Bool) async throws {
    let pipe = try NamedPipe(folder.path("pipe"))
    let process = try Program.start(
      ["replay", try capture(), "--format", "ndjson"] + (isStored ? ["--database", database] : []),
      writingTo: pipe.path)
    let reader = try await pipe.reader()
    try #require(await !NamedPipe.read(reader).isEmpty)
    await expectEnd(process, of: SIGINT)
    if isStored { #expect(try await sessions().first?["entries"] as? Int ?? 0 > 0) }
    try reader.close()
  }

  @Test func testReaderThatStopsReading_DoesNotKeepARecordingFromItsEnd() async throws {
    let pipe = try NamedPipe(folder.path("pipe"))
    let process = try Program.start(
      ["record", "--replay", try capture(), "--speed", "max", "--format", "ndjson", "--database", database],
      writingTo: pipe.path)
    let reader = try await pipe.reader()
    try #require(await !NamedPipe.read(reader).isEmpty)
    await expectEnd(process, of: SIGTERM, status: 0)
    #expect(try await sessions().map { $0["complete"] as? Bool } == [true])
    try reader.close()
  }

  // MARK: - Peers that do not answer

  /// The program with a strap of a daemon that does not answer any more, once it has told of a notification.
  private func start(_ arguments: [String], _ fake: FakeBlueZ, until words: String) async throws -> ChildProcess {
    let strap = FakeStrap(number: 1)
    await fake.advertise(strap)
    let process = try Program.start(arguments + ["--database", database])
    await fake.subscribed(strap)
    await fake.notify(strap, [0x16, 0x55, 0xB6, 0x02])
    var text = ""
    for await piece in process.pieces {
      text += String(decoding: piece, as: UTF8.self)
      if text.contains(words) { break }
    }
    for method in ["StopNotify", "StopDiscovery", "Disconnect", "Get", "GetAll", "UnregisterAgent"] {
      await fake.stall(method, times: 1_000)
    }
    return process
  }

  private func withFake(_ body: (FakeBlueZ, PrivateBus) async throws -> Void) async throws {
    let bus = try await PrivateBus.start()
    defer { bus.close() }
    let fake = try await FakeBlueZ.start(on: .address(bus.address))
    try await body(fake, bus)
    await fake.stop()
  }

  private func record(_ fake: FakeBlueZ, _ bus: PrivateBus) async throws -> ChildProcess {
    try await start(["record", "--bus", bus.address, "--format", "ndjson"], fake, until: "\"notification\"")
  }

  @Test func testDaemonThatDoesNotAnswer_DoesNotKeepAStationFromItsEnd() async throws {
    try await withFake { fake, bus in
      let process = try await start(
        ["station", "--port", "0", "--set", "radio.bus=\(bus.address)"], fake, until: "the page is on")
      await expectEnd(process, of: SIGTERM, status: 0)
      // What it has heard by then; it need not have heard of the first notification yet.
      #expect(try await sessions().allSatisfy { $0["complete"] as? Bool == true })
    }
  }

  @Test func testDaemonThatDoesNotAnswer_DoesNotKeepARecordingFromItsEnd() async throws {
    try await withFake { fake, bus in
      let process = try await record(fake, bus)
      await expectEnd(process, of: SIGINT, status: 0)
      #expect(try await sessions().map { $0["complete"] as? Bool } == [true])
      #expect(await fake.calls(of: "Disconnect") > 0)
    }
  }

  @Test func testSecondSignal_EndsItAtOnce() async throws {
    try await withFake { fake, bus in
      let process = try await record(fake, bus)
      process.send(SIGINT)
      // It waits for a daemon that does not answer. What comes with the first signal is no second, and so they are repeated; by a
      // thread of its own, since the tasks of other tests may hold up one of these for longer than it waits.
      let hasEnded = Mutex(false)
      Thread.detachNewThread {
        while !hasEnded.withLock({ $0 }) {
          process.send(SIGTERM)
          sched_yield()
        }
      }
      let ending = await process.end()
      hasEnded.withLock { $0 = true }
      #expect(ending.reason == .uncaughtSignal && ending.status == SIGTERM)
    }
  }

  /// As from a terminal and from the program that started this one.
  @Test(arguments: [SIGINT, SIGTERM])
  func testSignalThatComesTwice_EndsItInOrder(signal: Int32) async throws {
    let process = try Program.start(
      ["record", "--replay", try capture(), "--format", "ndjson", "--database", database])
    for await _ in process.pieces { break }
    process.send(signal)
    await expectEnd(process, of: SIGTERM, status: 0)
    #expect(try await sessions().map { $0["complete"] as? Bool } == [true])
  }

  /// A client that has said half of what it wants, and reads nothing.
  @Test func testClientThatSaysNothing_DoesNotKeepTheStationFromItsEnd() async throws {
    let process = try Program.start(
      ["station", "--replay", try capture(), "--port", "0", "--database", database])
    var text = ""
    for await piece in process.pieces {
      text += String(decoding: piece, as: UTF8.self)
      if text.contains("\n") { break }
    }
    let port = try #require(text.split(separator: ":").last.flatMap { UInt16($0.prefix { $0.isNumber }) })
    let client = try LoopbackClient(port: port)
    try client.send("GET /api/v1/status HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    try #require(!client.receive().isEmpty)
    try client.send("GET /api/v1/status HTTP/1.1\r\n")
    await expectEnd(process, of: SIGTERM, status: 0)
    client.close()
  }
}
