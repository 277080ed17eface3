import Foundation
import TachogramTestKit
import Testing

struct CommandLineTests {
  private static let endings: [([String], Int32)] = [
    (["--help"], 0), (["--version"], 0), (["replay", "--help"], 0), (["replay"], 2), (["nonsense"], 2),
    (["replay", "x", "--speed", "0"], 2), (["replay", "x", "--speed", "-3"], 2),
    (["replay", "x", "--handle", "0"], 2),
    (["replay", "x", "--strap", "12:34"], 2), (["analyze"], 2), (["analyze", "a", "--session", "b"], 2),
    (["replay", "/nonexistent/file"], 1), (["replay", "/"], 1), (["analyze", "/nonexistent/file"], 1),
    (["sessions", "--database", "/nonexistent/t.sqlite"], 1), (["decode", "zz"], 2), (["decode", "06"], 3),
    (["decode", "0652"], 0), (["replay", "x", "--person", ""], 2), (["record", "--label", " "], 2),
    (["baseline", "--person", String(repeating: "n", count: 101)], 2),
    (["reset-energy", "--bus", "unix:path=/nonexistent"], 4),
    (["import", "/dev/null"], 3), (["analyze", "/dev/zero"], 3), (["replay", "/dev/zero"], 3),
    (["analyze", "/proc/self/mem"], 1), (["replay", "/proc/self/mem"], 1), (["analyze", "/proc/self/status"], 1),
    (["delete", "--everything", "--yes", "--database", "/proc/nowhere.sqlite"], 1),
  ]

  @Test(arguments: endings)
  func testArguments_EndWithTheDocumentedCode(arguments: [String], status: Int32) async throws {
    let result = try await Program.run(arguments)
    #expect(result.status == status, "\(result.errors)")
    if status == 0 {
      #expect(!result.output.isEmpty)
      #expect(result.errors.isEmpty)
    } else if status != 3 {
      #expect(result.output.isEmpty)
      #expect(!result.errors.isEmpty)
    }
    // As Foundation writes its errors down.
    #expect(!result.errors.contains("Domain"))
  }

  /// What cannot be done without Bluetooth says so in one line, with what to do.
  @Test(arguments: [
    ["scan"], ["pair"], ["live"], ["live", "--broadcast"], ["record"], ["reset-energy"],
  ])
  func testWithoutBluetooth_SaysWhatToDo(command: [String]) async throws {
    let folder = try TemporaryFolder()
    let arguments = command + ["--bus", "unix:path=\(folder.path("bus"))", "--database", folder.path("t.sqlite")]
    let result = try await Program.run(arguments)
    #expect(result.status == 4)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("tachogram: Bluetooth is not available: the D-Bus bus cannot be reached"))
    #expect(result.errors.contains("Start D-Bus") && result.errors.contains("`tachogram doctor`"))
    #expect(result.errors.filter(\.isNewline).count == 1)
  }

  /// As with a full disk behind standard output.
  @Test func testOutputThatCannotBeWritten_IsToldOf() async throws {
    let shell = URL(fileURLWithPath: "/bin/sh")
    let command = "'\(Program.url.path)' decode 0652 >/dev/full"
    let result = try await ChildProcess.start(shell, ["-c", command], environment: [:]).end()
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("tachogram: cannot write to standard output: the disk is full"))
    #expect(result.errors.filter(\.isNewline).count == 1)
  }

  @Test func testExportOverADevice_IsRefused() async throws {
    let folder = try TemporaryFolder()
    let database = folder.path("t.sqlite")
    let capture = try FixtureLocator.capture("rest")
    #expect(try await Program.run(["replay", capture, "--database", database]).status == 0)
    let id = try #require(
      try await Program.run(["sessions", "--database", database, "--format", "ndjson"]).object()["id"] as? String)
    for place in ["/dev/null", folder.url.path] {
      let result = try await Program.run(
        ["export", id, "--format", "csv", "--output", place, "--force", "--database", database])
      #expect(result.status == 2)
      #expect(result.errors.contains("\(place) is not an ordinary file"))
    }
  }

  @Test func testDecode_SaysWhichByteIsWrong() async throws {
    let result = try await Program.run(["decode", "1648000", "--format", "ndjson"])
    #expect(result.status == 2)
    let odd = try await Program.run(["decode", "16480004ff", "1655b6029402", "--format", "ndjson"])
    let lines = odd.text.split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    #expect(lines.first?.contains("\"error\"") == true && lines.first?.contains("4") == true)
    #expect(
      lines.last
        == #"{"contact":"detected","heartRate":85,"rr1024":[694,660],"rrMs":[677.734375,644.53125],"value":"1655b6029402"}"#
    )
  }

  @Test func testTextOfIntervals_GivesTheClosedForm() async throws {
    let folder = try TemporaryFolder()
    let rr = folder.path("rr.txt")
    try Array(repeating: "800\n1000\n", count: 60).joined().write(toFile: rr, atomically: true, encoding: .utf8)
    let result = try await Program.run(["analyze", rr, "--format", "json"])
    let raw = try #require((try result.object()["hrv"] as? [String: Any])?["raw"] as? [String: Any])
    #expect(raw["meanNN"] as? Double == 900)
    #expect(raw["rmssd"] as? Double == 200)
    let sdnn = try #require(raw["sdnn"] as? Double)
    #expect(abs(sdnn - 100 * (120.0 / 119).squareRoot()) < 1e-9)
    let pnn50 = try #require(raw["pnn50"] as? Double)
    #expect(abs(pnn50 - 100 * 119.0 / 120) < 1e-9)
    let missing = try #require(raw["unavailable"] as? [String: Any])
    // Of 108 s.
    for metric in ["lf", "vlf", "dfaAlpha1", "sampleEntropy", "triangularIndex", "sdann"] {
      #expect(missing[metric] != nil && raw[metric] == nil)
    }
    #expect(missing["hf"] == nil && raw["hf"] != nil)
  }

  @Test func testRecognisedDialect_IsSaid() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("export.csv")
    let rows = (0..<120).map { "\($0);0,\(800 + $0 % 2 * 100);75\n" }.joined()
    try ("Zeit;RR [s];Puls\n" + rows).write(toFile: file, atomically: true, encoding: .utf8)
    let object = try await Program.run(["analyze", file, "--format", "json"]).object()
    let capture = try #require(object["capture"] as? [String: Any])
    let dialect = try #require(capture["dialect"] as? [String: Any])
    #expect(capture["format"] as? String == "rr-csv")
    #expect(capture["records"] as? Int == 120)
    #expect(dialect["unit"] as? String == "s")
    #expect(dialect["column"] as? Int == 2)
    #expect(dialect["columnName"] as? String == "RR [s]")
    #expect(dialect["separator"] as? String == "semicolon")
    #expect(dialect["decimal"] as? String == "comma")
    let text = try await Program.run(["analyze", file]).text
    #expect(text.contains("rr-csv, 120 lines"))
    #expect(text.contains(#"s in column 2 "RR [s]", columns by semicolon, decimal comma"#))
  }

  @Test func testFileWithoutIntervals_EndsWithASentence() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("myMeasurements.csv")
    try "date,timestamp_measurement,HR,rMSSD\n2018-06-05,2018-06-05 09:40:13 +0000,52,65\n"
      .write(toFile: file, atomically: true, encoding: .utf8)
    let result = try await Program.run(["analyze", file])
    #expect(result.status == 3)
    #expect(result.errors.contains("line 1 heads a table of HRV4Training results"))
  }

  @Test func testExport_NeverOverwritesUnasked() async throws {
    let folder = try TemporaryFolder()
    let database = folder.path("t.sqlite")
    let input = try FixtureLocator.capture("rest")
    _ = try await Program.run(["replay", input, "--database", database])
    let listed = try await Program.run(["sessions", "--database", database, "--format", "ndjson"])
    let item = try #require(try JSONSerialization.jsonObject(with: listed.output) as? [String: Any])
    let session = try #require(item["id"] as? String)
    for format in ["csv", "json", "rr", "btsnoop"] {
      let file = folder.path("export.\(format)")
      let arguments = ["export", session, "--format", format, "--output", file, "--database", database]
      #expect(try await Program.run(arguments).status == 0)
      #expect(try await Program.run(arguments).status == 2)
      #expect(try await Program.run(arguments + ["--force"]).status == 0)
      let size = try #require(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
      #expect(size > 1000)
    }
    let leftovers = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.contains("part") }
    #expect(leftovers.isEmpty)
    _ = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: folder.path("export.json"))))
  }
}
