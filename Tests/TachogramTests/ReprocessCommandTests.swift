import Foundation
import TachogramTestKit
import Testing

struct ReprocessCommandTests {
  private let folder: TemporaryFolder
  private var database: String { folder.path("t.sqlite") }

  init() async throws {
    folder = try TemporaryFolder()
    for name in ["exercise", "two-straps"] {
      let result = try await Program.run(
        ["replay", try FixtureLocator.capture(name), "--database", folder.path("t.sqlite")])
      try #require(result.status == 0)
    }
  }

  private func reprocess(_ arguments: String...) async throws -> Program.Result {
    try await Program.run(["reprocess"] + arguments + ["--database", database])
  }

  @Test func testSessionsOfThisVersion_AreUnchanged() async throws {
    let before = try await Program.run(["sessions", "--format", "json", "--database", database])
    let result = try await reprocess()
    #expect(result.status == 0)
    let lines = result.text.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.dropLast().allSatisfy { $0.contains("  unchanged") })
    #expect(lines.last == "0 of 3 sessions changed")
    let after = try await Program.run(["sessions", "--format", "json", "--database", database])
    #expect(after.output == before.output)
  }

  @Test func testOneSession_AsJSON() async throws {
    let id = try #require(try await Program.sessions(in: database).first?["id"] as? String)
    let result = try await reprocess(String(id.prefix(8)), "--dry-run", "--format", "json")
    let answer = try result.object()
    #expect(answer["stored"] as? Bool == false)
    let sessions = try #require(answer["sessions"] as? [[String: Any]])
    #expect(sessions.count == 1)
    #expect(sessions[0]["session"] as? String == id)
    #expect(sessions[0]["changed"] as? Bool == false)
    let beats = try #require(sessions[0]["beats"] as? [String: Int])
    #expect(beats["before"] == beats["after"] && beats["differing"] == 0 && beats["after"] ?? 0 > 0)
  }

  @Test func testSessionThatIsNotStored_IsNamed() async throws {
    let result = try await reprocess("ffffffff")
    #expect(result.status == 1)
    #expect(result.errors.contains("ffffffff"))
  }

  @Test func testMissingDatabase_IsNotMade() async throws {
    let path = folder.path("none.sqlite")
    let result = try await Program.run(["reprocess", "--database", path])
    #expect(result.status == 1)
    #expect(result.errors.contains(path))
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
