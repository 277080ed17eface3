import Foundation
import TachogramTestKit
import Testing

struct DeleteCommandTests {
  private let folder: TemporaryFolder
  private var database: String { folder.url.path + "/t.sqlite" }

  /// A session of Anna, and one of no person.
  init() async throws {
    folder = try TemporaryFolder()
    for (name, person) in [("rest", "Anna"), ("two-straps", nil)] as [(String, String?)] {
      let capture = try FixtureLocator.capture(name)
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
    try await Program.sessions(in: database).count
  }

  @Test func testWithoutYes_NothingIsDeleted() async throws {
    let result = try await delete("--person", "Anna", "--format", "json")
    #expect(try result.object()["sessions"] as? Int == 1)
    #expect(try result.object()["deleted"] as? Bool == false)
    #expect(try await sessions() == 2)
    #expect(try await delete("--everything").text.hasSuffix("Run again with --yes to delete.\n"))
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

  /// No notification of hers is left: not in the database, its log, a copy, or a database that a copy replaced.
  @Test func testDeletedPerson_IsInNoFileAnyMore() async throws {
    let value = try await ledgerValue(of: "Anna")
    let copies = folder.url.appendingPathComponent("snapshots")
    try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: false)
    for hour in ["05", "06"] {
      try FileManager.default.copyItem(
        at: URL(fileURLWithPath: database),
        to: copies.appendingPathComponent("t-20260101T\(hour)0000Z.sqlite"))
    }
    let replaced = database + ".replaced-2026-01-01T000000Z"
    try FileManager.default.copyItem(atPath: database, toPath: replaced)
    #expect(try files(holding: value) == 4)
    let result = try await delete("--person", "Anna", "--yes")
    #expect(result.status == 0)
    #expect(result.errors.isEmpty && FileManager.default.fileExists(atPath: replaced))
    #expect(try files(holding: value) == 0)
    #expect(try files(holding: Data("Anna".utf8)) == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: copies.path).count == 1)
    #expect(try await sessions() == 1)
  }

  @Test func testCategory_LeavesTheSessions() async throws {
    #expect(try await delete("--everything", "--category", "stress").text.hasPrefix("would be deleted: "))
    let result = try await delete("--everything", "--category", "windows", "--yes", "--format", "json")
    #expect(try #require(result.object()["windows"] as? Int) > 0)
    #expect(try await delete("--everything", "--category", "windows").text.hasPrefix("would be deleted: 0 windows"))
    #expect(try await sessions() == 2)
  }

  /// Bytes of a notification that only this person's recording has.
  private func ledgerValue(of person: String) async throws -> Data {
    let sessions = try await Program.sessions(in: database)
    let session = try #require(sessions.first { $0["person"] as? String == person }?["id"] as? String)
    let export = try await Program.run(["export", session, "--format", "json", "--database", database]).object()
    let ledger = try #require(export["ledger"] as? [[String: Any]])
    let longest = try #require(ledger.compactMap { $0["value"] as? String }.max { $0.count < $1.count })
    let digits = Array(longest)
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    return Data(bytes)
  }

  private func files(holding bytes: Data) throws -> Int {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    return try names.count { name in
      let url = folder.url.appendingPathComponent(name)
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue else {
        return false
      }
      return try Data(contentsOf: url).range(of: bytes) != nil
    }
  }

  @Test func testUnknownSession_IsAnError() async throws {
    let result = try await delete("ffff")
    #expect(result.status == 1)
    #expect(result.errors.contains("ffff"))
  }
}
