import Foundation
import TachogramTestKit
import Testing

@Suite("sleep export and sleep import")
struct SleepFilesCommandTests {
  private let folder: TemporaryFolder
  private var database: [String] { ["--database", folder.path("t.sqlite")] }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func write(_ text: String, _ name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    return folder.path(name)
  }

  private func run(_ arguments: String...) async throws -> Program.Result {
    try await Program.run(["sleep"] + arguments + database, environment: ["TZ": "Europe/Berlin"])
  }

  @Test func testImportedNight_IsExportedInEveryFormat() async throws {
    let file = try write(
      "time,stage\n2026-03-28T23:10:00Z,W\n2026-03-28T23:10:30Z,N2\n2026-03-28T23:11:00Z,W\n", "n.csv")
    let imported = try await run("import", file, "--person", "Anna", "--format", "json")
    let night = try #require((imported.object()["imported"] as? [[String: Any]])?.first)
    let session = try #require(night["session"] as? String)
    #expect(night["outcome"] as? String == "new" && night["person"] as? String == "Anna")
    for format in ["open-mhealth", "fhir", "apple-health", "edf", "csv"] {
      let output = folder.path("night.\(format)")
      #expect(try await run("export", session, "--format", format, "--output", output).status == 0, "\(format)")
      #expect(try await run("export", session, "--format", format, "--output", output).status == 2)
      #expect(try Data(contentsOf: URL(fileURLWithPath: output)).count > 100)
    }
    let text = try await run("export", String(session.prefix(4)), "--format", "csv").text
    #expect(text.contains("\n2026-03-29T00:10:30+01:00,light,,\n"))
    #expect(try await run("import", file).text.contains("already stored as session \(session.prefix(8))"))
    #expect(try await run("import", folder.path("night.csv")).text.contains("already stored"))
    let stage = try await run("stage", session)
    #expect(stage.status == 1 && stage.errors.contains("was imported"))
  }

  @Test func testWhatIsNoNight_SaysWhatToDo() async throws {
    let capture = try FixtureLocator.capture("rest")
    _ = try await Program.run(["replay", capture] + database)
    let session = try #require(try await Program.sessions(in: folder.path("t.sqlite")).first?["id"] as? String)
    let result = try await run("export", session, "--format", "csv")
    #expect(result.status == 1 && result.errors.contains("`tachogram sleep stage \(session.prefix(8))`"))
    let electrocardiogram = try await Program.run(["export", session, "--format", "ecg-csv"] + database)
    #expect(electrocardiogram.status == 1 && electrocardiogram.errors.contains("has no electrocardiogram"))
  }

  @Test func testOneFileOfSeveralThatCannotBeRead_IsReported() async throws {
    let good = try write("time,stage\n2026-03-28T23:10:00Z,W\n", "good.csv")
    let bad = try write("<HealthData>", "bad.xml")
    let result = try await run("import", bad, good)
    #expect(result.status == 3 && result.errors.contains("bad.xml: line 1, byte 12: the file ends"))
    #expect(result.text.contains("good.csv: sleep-csv, session"))
    #expect(try await run("import", folder.path("none.csv")).status == 1)
  }
}
