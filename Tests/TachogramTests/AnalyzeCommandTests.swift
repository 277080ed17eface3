import Foundation
import TachogramTestKit
import Testing

struct AnalyzeCommandTests {
  /// The section `artifacts` of a series with one short interval among 60.
  private func artifacts(_ arguments: String...) async throws -> [String: Any] {
    let folder = try TemporaryFolder()
    let rr = folder.path("rr.txt")
    let lines = (0..<60).map { $0 == 30 ? "500" : "\(800 + 10 * ($0 % 3))" }
    try lines.joined(separator: "\n").write(toFile: rr, atomically: true, encoding: .utf8)
    let result = try await Program.run(["analyze", rr, "--format", "json"] + arguments)
    return try #require(try result.object()["artifacts"] as? [String: Any], "\(result.errors)")
  }

  private func positions(_ section: [String: Any]) throws -> [String: [Int]] {
    try #require(section["positions"] as? [String: [Int]])
  }

  @Test func testListArtifacts_SaysWhichIntervals() async throws {
    let malik = try await artifacts("--artifacts", "malik", "--list-artifacts")
    #expect(try positions(malik) == ["ectopic": [], "missed": [], "extra": [], "longShort": [30, 31]])
    #expect(malik["longShort"] as? Int == 2)
    let none = try await artifacts("--artifacts", "none", "--list-artifacts")
    #expect(try positions(none) == ["ectopic": [], "missed": [], "extra": [], "longShort": []])
    #expect(try positions(try await artifacts("--list-artifacts"))["longShort"] == [30])
  }

  @Test func testPositions_AreNotThereUnasked() async throws {
    let section = try await artifacts("--artifacts", "karlsson")
    #expect(section["positions"] == nil)
    #expect(section["longShort"] as? Int == 3)
  }

  @Test(arguments: [
    ["--list-artifacts"], ["--artifacts", "kubios"], ["--format", "html", "--list-artifacts"],
    ["--format", "html", "second.txt"], ["-o", "page.html"], ["--format", "json", "-o", "page.json"],
  ])
  func testWrongArguments_AreRefused(arguments: [String]) async throws {
    let result = try await Program.run(["analyze", "rr.txt"] + arguments)
    #expect(result.status == 2)
    #expect(!result.errors.isEmpty)
  }

  @Test func testSecondInput_IsRefusedForAPageWithWhatToDo() async throws {
    let result = try await Program.run(["analyze", "a.txt", "b.txt", "--format", "html"])
    #expect(result.status == 2)
    #expect(result.errors.contains("--format html takes one input, not 2"))
  }

  @Test func testPageThatExists_IsReplacedOnlyByForce() async throws {
    let folder = try TemporaryFolder()
    try Array(repeating: "800", count: 60).joined(separator: "\n")
      .write(toFile: folder.path("rr.txt"), atomically: true, encoding: .utf8)
    let arguments = ["analyze", folder.path("rr.txt"), "--format", "html", "-o", folder.path("page.html")]
    #expect(try await Program.run(arguments).status == 0)
    let refused = try await Program.run(arguments)
    #expect(refused.status == 2)
    #expect(refused.errors.contains("--force"))
    #expect(try await Program.run(arguments + ["--force"]).status == 0)
  }

  // MARK: - Text

  private func text(_ arguments: [String] = [], environment: [String: String] = [:]) async throws -> String {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 9)
    let lines = (0..<2000).map { $0 % 300 == 150 ? "500" : "\(800 + Int(100 * random.unit()))" }
    try lines.joined(separator: "\n").write(toFile: folder.path("rr.txt"), atomically: true, encoding: .utf8)
    let result = try await Program.run(["analyze", "rr.txt"] + arguments, in: folder.url, environment: environment)
    #expect(result.status == 0, "\(result.errors)")
    return result.text
  }

  @Test func testText_IsOneScreenWithRawAndCorrectedSideBySide() async throws {
    let lines = try await text(environment: ["LANG": "C.UTF-8"]).split(separator: "\n").map(String.init)
    #expect(lines.count <= 45)
    #expect(lines.allSatisfy { $0.count <= 80 })
    let rmssd = try #require(lines.first { $0.contains("    RMSSD") })
    #expect(rmssd.split(separator: " ").count > 6)
    #expect(lines.contains { $0.contains("× artifacts") })
    #expect(lines.contains { $0.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) } })
  }

  @Test(arguments: [["LANG": "C.UTF-8", "TERM": "xterm-256color"], ["TERM": "xterm"]])
  func testTextIntoAPipe_HasNoEscapes(environment: [String: String]) async throws {
    #expect(!(try await text(environment: environment).contains("\u{1B}")))
  }

  @Test func testTextWithoutUTF8_HasAPlotInASCII() async throws {
    let lines = try await text(environment: ["LANG": "C"]).split(separator: "\n").map(String.init)
    let plot = try #require(lines.firstIndex { $0.hasPrefix("  RR ") })
    #expect(lines[plot...].allSatisfy { $0.allSatisfy(\.isASCII) })
    #expect(lines[plot].contains("x artifacts"))
  }
}
