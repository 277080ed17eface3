import Foundation
import TachogramTestKit
import Testing

/// Nights in the command line.
struct SleepCommandTests {
  private let folder: TemporaryFolder
  private var database: String { folder.path("t.sqlite") }

  init() async throws {
    folder = try TemporaryFolder()
    let capture = try FixtureLocator.capture("exercise")
    try #require(try await Program.run(["replay", capture, "--database", database]).status == 0)
  }

  private func run(_ arguments: String...) async throws -> Program.Result {
    try await Program.run(["sleep"] + arguments)
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func write(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    return folder.path(name)
  }

  @Test func testStagesOfASession_AreStoredAndShown() async throws {
    #expect(try await run("list", "--database", database).errors.contains("no nights"))
    let stored = try #require(try await Program.sessions(in: database).first)
    let id = String(try #require(stored["id"] as? String).prefix(8))
    #expect(try await run("show", id, "--database", database).status == 1)
    let staged = try object(try await run("stage", id, "--database", database, "--format", "json").text)
    let epochs = try #require(staged["epochs"] as? [[String: Any]])
    #expect(epochs.count > 2 && epochs.allSatisfy { $0["stage"] is String })
    let shown = try object(try await run("show", id, "--database", database, "--format", "json").text)
    #expect(shown["estimator"] as? String == staged["estimator"] as? String)
    let periods = try #require(shown["periods"] as? [[String: Any]])
    #expect(!periods.isEmpty && periods.count <= epochs.count)
    let listed = try object(try await run("list", "--database", database, "--format", "json").text)
    #expect((listed["nights"] as? [[String: Any]])?.count == 1)
    #expect(try await run("show", id, "--database", database).text.contains("in bed"))
  }

  @Test func testStagesOfFiles_AreWrittenAndNotStored() async throws {
    let rows = (0..<2_000).map { "\(Double($0) * 1.0)\t1000\tN\tN" }.joined(separator: "\n")
    let rr = try write("rr.tsv", "beat_time_s\trr_ms\tprev_type\ttype\n\(rows)\n")
    let staged = try object(try await run("stage", "--rr", rr, "--format", "json").text)
    #expect((staged["epochs"] as? [Any])?.count == 67)
    #expect((staged["others"] as? [Any])?.count == 2)
    let rates = try write("hr.txt", (0..<400).map { "\($0 * 5),\(50 + $0 % 7)" }.joined(separator: "\n"))
    #expect(try await run("stage", "--heart-rate", rates).text.contains("in bed"))
  }

  /// As on the page: the time after the last sleep does not count.
  @Test func testTimeAwake_EndsWithTheLastSleep() async throws {
    let stages =
      ["W", "W"] + Array(repeating: "N2", count: 8) + ["W", "W", "N2", "N2"] + Array(repeating: "W", count: 6)
    let rows = stages.enumerated().map { "\($0 * 30),\($1)" }.joined(separator: "\n")
    let file = try write("hypnogram.csv", "time,stage\n\(rows)\n")
    let start = "2026-03-29T22:10:00Z"
    #expect(try await run("import", file, "--start", start, "--database", database).status == 0)
    let listed = try object(try await run("list", "--database", database, "--format", "json").text)
    let night = try #require((listed["nights"] as? [[String: Any]])?.first)
    let id = try #require(night["session"] as? String ?? (night["id"] as? String))
    let shown = try await run("show", id, "--database", database).text
    #expect(shown.contains("awake after that  1 min\n"), "\(shown)")
  }

  @Test func testHeartRatesOfTwoFiles_AreThoseOfTheMoreCompleteOne() async throws {
    let beats = (0..<600).map { "\(Double($0))\t1000" }.joined(separator: "\n")
    let rr = try write("rr.tsv", "beat_time_s\trr_ms\n\(beats)\n")
    let few = try write("few.txt", (0..<20).map { "\($0),60" }.joined(separator: "\n"))
    let many = try write("many.txt", (0..<200).map { "\($0 * 5),60" }.joined(separator: "\n"))
    let unused = try await run("stage", "--rr", rr, "--heart-rate", few)
    #expect(unused.status == 0)
    #expect(unused.errors.contains("the heart rates of \(few) are not used: \(rr) has them for more epochs"))
    let used = try await run("stage", "--rr", rr, "--heart-rate", many)
    #expect(used.errors.contains("the heart rates of \(rr) are not used: \(many) has them for at least as many epochs"))
    #expect(try await run("stage", "--rr", rr).errors.isEmpty)
  }

  @Test func testColumnsThatAreAlike_AreNamed() async throws {
    let file = try write("two.csv", "time,stage,stage\n0,W,N2\n30,W,N2\n")
    let start = "2026-03-29T22:10:00Z"
    let result = try await run("import", file, "--start", start, "--database", database)
    #expect(result.status == 0)
    #expect(result.errors.contains("two.csv: columns 2 (stage), 3 (stage) are alike; only column 2 is read"))
    let one = try write("one.csv", "time,stage\n0,W\n30,W\n")
    #expect(try await run("import", one, "--start", start, "--database", database).errors.isEmpty)
  }

  @Test func testBadInput_NamesFileAndLine() async throws {
    let rr = try write("rr.tsv", "beat_time_s\trr_ms\n1\t1000\n2\tx\n")
    let wrong = try await run("stage", "--rr", rr)
    #expect(wrong.status == 3 && wrong.errors.contains("rr.tsv") && wrong.errors.contains("3"), "\(wrong.errors)")
    #expect(try await run("stage", "--movement", folder.path("none")).status == 1)
    // As `import` does.
    let empty = try write("empty", "")
    #expect(try await run("stage", "--rr", empty).status == 3)
    #expect(try await run("import", empty, "--database", database).status == 3)
    #expect(try await run("import", folder.path("none"), "--database", database).status == 1)
    let place = folder.url.path
    let directory = try await run("stage", "--rr", place)
    #expect(
      directory.status == 1 && directory.errors == "tachogram: \(place) cannot be read: it is not a regular file\n")
    #expect(try await run("stage").status == 2)
    #expect(try await run("stage", "abcd", "--rr", rr).status == 2)
    #expect(try await run("stage", "--rr", rr, "--from", "2026-01-01T00:00:00Z").status == 2)
  }
}
