import Foundation
import TachogramTestKit
import Testing

@Suite("Changing sessions on the command line")
struct SessionEditCommandTests {
  private let folder: TemporaryFolder
  private var database: String { folder.url.path + "/t.sqlite" }

  init() async throws {
    folder = try TemporaryFolder()
    let capture = try FixtureLocator.capture("rest")
    try #require(try await Program.run(["replay", capture, "--database", database, "--person", "Anna"]).status == 0)
  }

  private func run(_ arguments: String...) async throws -> Program.Result {
    try await Program.run(["sessions"] + arguments + ["--database", database])
  }

  private func list() async throws -> [[String: Any]] {
    try #require(try await run("--format", "json").object()["sessions"] as? [[String: Any]])
  }

  private func only() async throws -> [String: Any] {
    let id = try #require(try await list().first?["id"] as? String)
    return try await run(id, "--format", "json").object()
  }

  @Test func testLabelNoteAndPerson_AreChangedAndRemoved() async throws {
    let id = try #require(try await only()["id"] as? String)
    #expect(try await run("edit", id, "--label", "night", "--note", "one\ntwo", "--person", "Bert").status == 0)
    var session = try await only()
    #expect(session["label"] as? String == "night" && session["note"] as? String == "one\ntwo")
    #expect(session["person"] as? String == "Bert")
    #expect(try await run(id).text.contains("note      one\n          two\n"))
    #expect(try await run("edit", id, "--note", "", "--person", "").status == 0)
    session = try await only()
    #expect(session["note"] == nil && session["person"] == nil && session["label"] as? String == "night")
    #expect(try await run("edit", id).status == 2)
    #expect(try await run("edit", id, "--label", "a\u{1b}b").status == 2)
    #expect(try await run("edit", "ffff", "--label", "x").status == 1)
  }

  @Test func testMarkers_AreAddedShownAndDeleted() async throws {
    let session = try await only()
    let (id, start) = (try #require(session["id"] as? String), try #require(session["start"] as? String))
    let marker = try await run("mark", id, "coffee", "--at", start)
    #expect(marker.status == 0)
    let name = marker.text.trimmingCharacters(in: .whitespacesAndNewlines)
    let markers = try #require(try await only()["markers"] as? [[String: String]])
    #expect(markers == [["id": name, "time": start, "text": "coffee"]])
    #expect(try await run(id).text.contains("coffee (\(name))"))
    // It ended long ago.
    #expect(try await run("mark", id, "now").status == 1)
    #expect(try await run("unmark", id, name).status == 0)
    #expect(try await run("unmark", id, name).status == 1)
    #expect(try await only()["markers"] as? [[String: String]] == [])
  }

  @Test func testSession_IsSplitAndMergedAgain() async throws {
    let session = try await only()
    let (id, start) = (try #require(session["id"] as? String), try #require(session["start"] as? String))
    let beats = try #require(session["beats"] as? Int)
    let middle = try #require(ISO8601DateFormatter().date(from: String(start.prefix(19)) + "Z")) + 60
    let split = try await run("split", id, "--at", ISO8601DateFormatter().string(from: middle))
    #expect(split.status == 0)
    let parts = split.text.split(separator: "\n").map(String.init)
    #expect(parts.count == 2 && parts.first == id)
    #expect(try await list().count == 2)
    #expect(try await run("merge", parts[1], parts[0]).text == id + "\n")
    let merged = try await only()
    #expect(merged["start"] as? String == start)
    #expect(abs((merged["beats"] as? Int ?? 0) - beats) <= 2)
    #expect(try await run("merge", id, id).status == 1)
    #expect(try await run("split", id, "--at", start).status == 1)
    #expect(try await run("split", id, "--at", "noon").status == 2)
  }

  @Test func testNoDatabase_IsNotCreated() async throws {
    let path = folder.url.path + "/absent.sqlite"
    for arguments in [["edit", "abcd", "--label", "x"], ["merge", "abcd", "efab"], ["unmark", "abcd", "x"]] {
      let result = try await Program.run(["sessions"] + arguments + ["--database", path])
      #expect(result.status == 1 && result.errors.contains("There is no database"))
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func testNoteAndMarkers_AreExportedAndImported() async throws {
    let session = try await only()
    let (id, start) = (try #require(session["id"] as? String), try #require(session["start"] as? String))
    #expect(try await run("edit", id, "--note", "slept well").status == 0)
    #expect(try await run("mark", id, "coffee", "--at", start).status == 0)
    let before = try await only()
    let (file, other) = (folder.url.path + "/s.json", folder.url.path + "/other.sqlite")
    #expect(
      try await Program.run(["export", id, "--format", "json", "--output", file, "--database", database]).status == 0)
    #expect(try await Program.run(["import", file, "--database", other]).status == 0)
    let after = try await Program.run(["sessions", id, "--format", "json", "--database", other]).object()
    #expect(after["note"] as? String == "slept well")
    #expect(after["markers"] as? [[String: String]] == before["markers"] as? [[String: String]])
  }
}
