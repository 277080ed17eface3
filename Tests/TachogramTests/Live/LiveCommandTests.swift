import Foundation
import TachogramTestKit
import Testing

struct LiveCommandTests {
  private func input(_ name: String) throws -> String {
    try FixtureLocator.folder().appendingPathComponent("\(name)/input.btsnoop").path
  }

  @Test func testCaptureAtOnce_GivesALineANotification() throws {
    let result = try Program.run(["live", "--replay", try input("rest"), "--speed", "max"])
    #expect(result.status == 0, "\(result.errors)")
    let lines = result.text.split(separator: "\n")
    #expect(lines.count > 100)
    #expect(lines.last?.contains("RMSSD") == true && !result.text.contains("\u{1B}"))
  }

  @Test func testCaptureAtOnceAsEvents_GivesWhatRecordGives() throws {
    let folder = try TemporaryFolder()
    let arguments = ["--replay", try input("two-links"), "--speed", "max", "--format", "ndjson"]
    let live = try Program.run(["live"] + arguments + ["--database", folder.path("none.sqlite")])
    let recorded = try Program.run(["record"] + arguments + ["--database", folder.path("t.sqlite")])
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
  func testWhatCannotBeDone_EndsWithItsCode(arguments: [String], status: Int32) throws {
    let folder = try TemporaryFolder()
    let result = try Program.run(arguments, environment: ["TACHOGRAM_DATABASE": folder.path("t.sqlite")])
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.isEmpty == (arguments[0] == "doctor" && status == 4))
  }

  @Test(arguments: [("live", 130), ("record", 0)])
  func testInterrupt_EndsInOrder(command: String, status: Int) throws {
    let folder = try TemporaryFolder()
    let process = Program.process(
      [command, "--replay", try input("rest"), "--format", "ndjson", "--database", folder.path("t.sqlite")])
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    while !text.contains("\"notification\"") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    process.interrupt()
    let rest = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(Int(process.terminationStatus) == status)
    text += String(decoding: rest, as: UTF8.self)
    #expect(text.split(separator: "\n").allSatisfy { $0.hasSuffix("}") })
  }

  @Test func testFasterReplay_MakesTheSameOfTheCapture() throws {
    let folder = try TemporaryFolder()
    let result = try Program.run([
      "record", "--replay", try input("rest"), "--speed", "200", "--duration", "60s", "--format", "json", "--database",
      folder.path("t.sqlite"),
    ])
    let sessions = try #require(try result.object()["sessions"] as? [[String: Any]])
    let beats = try #require(sessions.first?["beats"] as? [String: Any])
    #expect(beats["gaps"] as? Int == 0)
    let total = try #require(beats["total"] as? Int)
    #expect((50...80).contains(total))
  }

  @Test func testReaderThatHasEnough_EndsItQuietly() throws {
    let process = Program.process(["live", "--replay", try input("rest"), "--speed", "20"])
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    #expect(!output.fileHandleForReading.availableData.isEmpty)
    try output.fileHandleForReading.close()
    #expect(try (errors.fileHandleForReading.readToEnd() ?? Data()).isEmpty)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 1)
  }

  @Test func testDoctorWithoutBus_SaysSoFirst() throws {
    let folder = try TemporaryFolder()
    let result = try Program.run(
      ["doctor", "--bus", "unix:path=/nonexistent/bus", "--format", "json", "--database", folder.path("t.sqlite")])
    let object = try result.object()
    #expect(object["usable"] as? Bool == false)
    #expect((object["findings"] as? [[String: Any]])?.first?["id"] as? String == "bus.absent")
  }
}
