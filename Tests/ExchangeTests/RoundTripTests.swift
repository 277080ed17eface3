import Foundation
import TachogramTestKit
import Testing

/// What is exported, imported into another database, and exported again is the same.
struct RoundTripTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Replays a fixture into a database, and gives the session.
  private func session(of fixture: String, in database: String) async throws -> String {
    let capture = try FixtureLocator.capture(fixture)
    _ = try await Program.success("replay", capture, "--database", folder.path(database), "--person", "Anna")
    return try await onlySession(in: database)
  }

  private func onlySession(in database: String) async throws -> String {
    try #require(try await Program.sessions(in: folder.path(database)).first?["id"] as? String)
  }

  private func export(_ session: String, _ format: String, from database: String) async throws -> Data {
    try await Program.success("export", session, "--format", format, "--database", folder.path(database)).output
  }

  static let cases: [(fixture: String, format: String, file: String)] = [
    "rest", "two-links", "contact-loss", "lost-notifications",
  ]
  .flatMap { fixture in
    [("json", "s.json"), ("fhir", "s.fhir.json"), ("btsnoop", "s.btsnoop"), ("csv", "s.csv"), ("rr", "s.rr.txt")].map {
      (fixture, $0, $1)
    }
  }

  @Test(arguments: cases)
  func testImportAfterExport_GivesTheSameBytes(_ one: (fixture: String, format: String, file: String)) async throws {
    let first = try await export(session(of: one.fixture, in: "1.sqlite"), one.format, from: "1.sqlite")
    try first.write(to: URL(fileURLWithPath: folder.path(one.file)))
    _ = try await Program.success("import", folder.path(one.file), "--database", folder.path("2.sqlite"))
    let session = try await onlySession(in: "2.sqlite")
    let second = try await export(session, one.format, from: "2.sqlite")
    #expect(!first.isEmpty)
    #expect(first == second)
    // Again changes nothing.
    let again = try await Program.success(
      "import", folder.path(one.file), "--database", folder.path("2.sqlite"), "--format", "json")
    let imported = try #require(again.object()["imported"] as? [[String: Any]])
    #expect(imported.count == 1 && imported[0]["wasKnown"] as? Bool == true)
    #expect(try await export(session, one.format, from: "2.sqlite") == second)
  }

  @Test(arguments: [("json", "s.json"), ("fhir", "s.fhir.json"), ("btsnoop", "s.btsnoop")])
  func testPulseIntervals_SurviveExportAndImport(_ format: String, _ file: String) async throws {
    let capture = try FixtureLocator.capture("optical")
    _ = try await Program.success("replay", capture, "--database", folder.path("1.sqlite"))
    let first = try await export(onlySession(in: "1.sqlite"), format, from: "1.sqlite")
    try first.write(to: URL(fileURLWithPath: folder.path(file)))
    _ = try await Program.success("import", folder.path(file), "--database", folder.path("2.sqlite"))
    #expect(try await export(onlySession(in: "2.sqlite"), format, from: "2.sqlite") == first)
    // A report without a database has the same beats.
    for place in [[], ["--database", folder.path("3.sqlite")]] {
      let report = try await Program.run(["replay", capture, "--format", "json"] + place).object()
      let beats = try #require(report["beats"] as? [String: Any])
      #expect(try #require(beats["total"] as? Int) > 350 && beats["gaps"] as? Int == 0)
      #expect((report["notifications"] as? [String: Any])?["pulseFrames"] as? Int == 67)
    }
  }

  /// The clock of a sensor dates its frames.
  @Test func testPulseIntervalsWithPseudonyms_HaveNoDate() async throws {
    _ = try await Program.success("replay", FixtureLocator.capture("optical"), "--database", folder.path("1.sqlite"))
    try Data("0123456789abcdef".utf8).write(to: URL(fileURLWithPath: folder.path("key")))
    _ = try await Program.success(
      "export", "--everything", "--format", "json", "--database", folder.path("1.sqlite"), "--pseudonym",
      folder.path("key"), "--output", folder.path("out"))
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).first)
    let text = try String(contentsOfFile: folder.path("out/" + name), encoding: .utf8)
    #expect(text.contains("\"frame\":\"03000000000000000000"))
  }

  /// What a capture has no clock of: a session that was recorded live. It is known by its first notification.
  @Test(arguments: ["import", "replay"])
  func testCaptureOfALiveSession_ChangesNothing(command: String) async throws {
    let replayed = try await session(of: "two-links", in: "1.sqlite")
    var text = String(decoding: try await export(replayed, "json", from: "1.sqlite"), as: UTF8.self)
    text = text.replacing("\"origin\":\"replay\"", with: "\"origin\":\"live\"")
    // The clock of the machine began a day later than that of the world.
    text.replace(#/"(monotonicUs|startMonotonicUs)":(\d+)/#) { match in
      "\"\(match.1)\":\((Int64(match.2) ?? 0) - 86_400_000_000)"
    }
    text.replace(#/"links":\[\{/#) { _ in "\"links\":[{\"bootID\":\"b\"," }
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("live.json")))
    _ = try await Program.success("import", folder.path("live.json"), "--database", folder.path("2.sqlite"))
    let live = try await export(replayed, "json", from: "2.sqlite")
    #expect(String(decoding: live, as: UTF8.self).contains("\"origin\":\"live\""))
    let capture = try await export(replayed, "btsnoop", from: "2.sqlite")
    try capture.write(to: URL(fileURLWithPath: folder.path("live.btsnoop")))
    let result = try await Program.success(
      command, folder.path("live.btsnoop"), "--person", "Ben", "--database", folder.path("2.sqlite"))
    #expect(result.errors.contains("session \(replayed) is stored as it was recorded live"))
    #expect(command != "import" || result.text.contains("already stored as session"))
    #expect(try await export(replayed, "json", from: "2.sqlite") == live)
  }

  /// FIT knows milliseconds and whole seconds, Kubios no short gaps: beyond what they hold, nothing is lost.
  @Test(arguments: [("fit", "s.fit"), ("kubios", "s.kubios.txt")])
  func testFormatsThatHoldLess_KeepEveryInterval(format: String, file: String) async throws {
    let session = try await session(of: "rest", in: "1.sqlite")
    let exported = try await export(session, format, from: "1.sqlite")
    try exported.write(to: URL(fileURLWithPath: folder.path(file)))
    let start = format == "fit" ? [] : ["--start", "2026-03-29T01:02:03Z"]
    let result = try await Program.run(["import", folder.path(file), "--database", folder.path("2.sqlite")] + start)
    try #require(result.status == 0, "\(result.errors)")
    let imported = try await onlySession(in: "2.sqlite")
    func intervals(_ session: String, _ database: String) async throws -> [Double] {
      try await String(decoding: export(session, "rr", from: database), as: UTF8.self)
        .split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { Double($0) }
    }
    let (before, after) = (try await intervals(session, "1.sqlite"), try await intervals(imported, "2.sqlite"))
    #expect(before.count == after.count && before.count > 100)
    let tolerance = format == "fit" ? 1.0 : 0
    #expect(zip(before, after).allSatisfy { abs($0 - $1) <= tolerance })
  }

  @Test func testEverythingOfAPerson_ComesBack() async throws {
    let session = try await session(of: "rest", in: "1.sqlite")
    _ = try await Program.success(
      "export", "--person", "Anna", "--format", "json", "--format", "fit", "--output", folder.path("out"), "--database",
      folder.path("1.sqlite"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
    #expect(names.count == 3 && names.contains("person-1.json"))
    let json = names.filter { $0.hasSuffix(".json") }.map { folder.path("out/\($0)") }
    let result = try await Program.run(["import"] + json + ["--database", folder.path("2.sqlite")])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try await export(session, "json", from: "1.sqlite") == export(session, "json", from: "2.sqlite"))
  }
}
