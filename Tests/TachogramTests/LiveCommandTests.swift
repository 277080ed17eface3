import Foundation
import TachogramTestKit
import Testing

struct LiveCommandTests {
  private func input(_ name: String) throws -> String {
    try FixtureLocator.capture(name)
  }

  @Test func testCaptureAtOnce_GivesALineANotification() async throws {
    let result = try await Program.run(["live", "--replay", try input("rest"), "--speed", "max"])
    #expect(result.status == 0, "\(result.errors)")
    let lines = result.text.split(separator: "\n")
    #expect(lines.count > 100)
    #expect(lines.last?.contains("RMSSD") == true && !result.text.contains("\u{1B}"))
  }

  @Test func testCaptureAtOnceAsEvents_GivesWhatRecordGives() async throws {
    let folder = try TemporaryFolder()
    let arguments = ["--replay", try input("two-links"), "--speed", "max", "--format", "ndjson"]
    let live = try await Program.run(["live"] + arguments + ["--database", folder.path("none.sqlite")])
    let recorded = try await Program.run(["record"] + arguments + ["--database", folder.path("t.sqlite")])
    #expect(live.status == 0 && recorded.status == 0)
    #expect(!live.output.isEmpty && live.output == recorded.output)
    #expect(!FileManager.default.fileExists(atPath: folder.path("none.sqlite")))
  }

  private static let endings: [([String], Int32)] = [
    (["live", "--format", "json"], 2), (["doctor", "--format", "ndjson"], 2),
    (["live", "--bus", "unix:path=/nonexistent/bus"], 4), (["doctor", "--bus", "unix:path=/nonexistent/bus"], 4),
    (["live", "--replay", "/nonexistent"], 1),
  ]

  @Test(arguments: endings)
  func testWhatCannotBeDone_EndsWithItsCode(arguments: [String], status: Int32) async throws {
    let folder = try TemporaryFolder()
    let result = try await Program.run(arguments, environment: ["TACHOGRAM_DATABASE": folder.path("t.sqlite")])
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.isEmpty == (arguments[0] == "doctor" && status == 4))
  }

  @Test(arguments: [("live", 130), ("record", 0)])
  func testInterrupt_EndsInOrder(command: String, status: Int) async throws {
    let folder = try TemporaryFolder()
    let process = try Program.start(
      [command, "--replay", try input("rest"), "--format", "ndjson", "--database", folder.path("t.sqlite")])
    var text = ""
    for await piece in process.pieces {
      text += String(decoding: piece, as: UTF8.self)
      if text.contains("\"notification\"") { break }
    }
    process.interrupt()
    let ending = await process.end()
    #expect(ending.reason == .exit)
    #expect(Int(ending.status) == status)
    #expect(ending.text.split(separator: "\n").allSatisfy { $0.hasSuffix("}") })
  }

  @Test func testFasterReplay_MakesTheSameOfTheCapture() async throws {
    let folder = try TemporaryFolder()
    let result = try await Program.run([
      "record", "--replay", try input("rest"), "--speed", "200", "--duration", "60s", "--format", "json", "--database",
      folder.path("t.sqlite"),
    ])
    let sessions = try #require(try result.object()["sessions"] as? [[String: Any]])
    let beats = try #require(sessions.first?["beats"] as? [String: Any])
    #expect(beats["gaps"] as? Int == 0)
    let total = try #require(beats["total"] as? Int)
    #expect((50...80).contains(total))
  }

  @Test func testReaderThatHasEnough_EndsItQuietly() async throws {
    let ending = try await Program.start(
      ["live", "--replay", try input("rest"), "--speed", "20"], readingPieces: 1
    ).end()
    #expect(!ending.output.isEmpty && ending.errors.isEmpty)
    #expect(ending.reason == .exit && ending.status == 1)
  }

  @Test func testDoctorWithoutBus_SaysSoFirst() async throws {
    let folder = try TemporaryFolder()
    let result = try await Program.run(
      ["doctor", "--bus", "unix:path=/nonexistent/bus", "--format", "json", "--database", folder.path("t.sqlite")])
    let object = try result.object()
    #expect(object["usable"] as? Bool == false)
    #expect((object["findings"] as? [[String: Any]])?.first?["id"] as? String == "bus.absent")
  }
}
