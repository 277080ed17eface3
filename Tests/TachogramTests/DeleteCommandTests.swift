import Foundation
import TachogramTestKit
import Testing

struct DeleteCommandTests {
  private let folder: TemporaryFolder
  private var database: String { folder.url.path + "/t.sqlite" }

  /// A session of Anna, and one of nobody in particular.
  init() async throws {
    folder = try TemporaryFolder()
    for (name, person) in [("rest", "Anna"), ("two-straps", nil)] as [(String, String?)] {
      let capture = try FixtureLocator.folder().appendingPathComponent("\(name)/input.btsnoop").path
      let result = try await Program.run(
        ["replay", capture, "--database", database]
          + (person.map { ["--person", $0] } ?? ["--strap", "C0:FF:EE:00:00:02"]))
      try #require(result.status == 0)
    }
  }

  private func delete(_ arguments: String...) async throws -> Program.Result {
    try await Program.run(["delete"] + arguments + ["--database", database])
  }

  private func sessions() async throws -> Int {
    let result = try await Program.run(["sessions", "--format", "json", "--database", database])
    return try #require(result.object()["sessions"] as? [Any]).count
  }

  @Test func testWithoutYes_NothingIsDeleted() async throws {
    let result = try await delete("--person", "Anna", "--format", "json")
    #expect(try result.object()["sessions"] as? Int == 1)
    #expect(try result.object()["deleted"] as? Bool == false)
    #expect(try await sessions() == 2)
    #expect(try await delete("--everything").text.hasSuffix("Say --yes to delete.\n"))
  }

  @Test func testWithYes_WhatIsSelectedIsDeleted() async throws {
    let result = try await delete("--person", "Anna", "--yes")
    #expect(result.status == 0)
    #expect(result.text.hasPrefix("deleted: 1 session from "))
    #expect(try await sessions() == 1)
    #expect(try await delete("--person", "Anna").text == "nothing that is stored is selected\n")
  }

  @Test(arguments: [
    [], ["--everything", "--person", "Anna"], ["--from", "yesterday"],
    ["--from", "2026-01-02T00:00:00Z", "--to", "2026-01-01T00:00:00Z"],
  ])
  func testUnclearSelection_IsRefused(arguments: [String]) async throws {
    let result = try await Program.run(["delete"] + arguments + ["--yes", "--database", database])
    #expect(result.status == 2)
    #expect(try await sessions() == 2)
  }

  @Test func testUnknownSession_IsAnError() async throws {
    let result = try await delete("ffff")
    #expect(result.status == 1)
    #expect(result.errors.contains("ffff"))
  }
}
