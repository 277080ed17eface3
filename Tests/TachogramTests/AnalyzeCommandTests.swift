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

  @Test(arguments: [["--list-artifacts"], ["--artifacts", "kubios"]])
  func testWrongArguments_AreRefused(arguments: [String]) async throws {
    let result = try await Program.run(["analyze", "rr.txt"] + arguments)
    #expect(result.status == 2)
    #expect(!result.errors.isEmpty)
  }
}
