import Foundation
import Repository
import TachogramCore
import TachogramTestKit
import Testing

/// Nights, movement and sensor entries go with their session through exports and imports.
@Suite("Nights in exports of sessions")
struct NightRoundTripTests {
  private let folder: TemporaryFolder
  private let session: String

  /// A session that is a night, with movement and a stream.
  init() async throws {
    folder = try TemporaryFolder()
    let capture = try FixtureLocator.capture("rest")
    _ = try await Program.success("replay", capture, "--database", folder.path("1.sqlite"), "--person", "Anna")
    session = try #require(try await Program.sessions(in: folder.path("1.sqlite")).first?["id"] as? String)
    let database = try TachogramDatabase.open(path: folder.path("1.sqlite"))
    let start = try SessionRepository(database: database).session(matching: session).description.monotonicStart
    func at(_ seconds: Int) -> MonotonicTime { start.advanced(by: .seconds(seconds)) }
    var night = SleepSession(session: session, origin: .page, lightsOff: at(10), lightsOn: at(300))
    night.staging = SleepSession.Staging(
      estimator: "five-minute-heuristic",
      periods: [
        SleepStagePeriod(start: at(30), end: at(90), stage: .light),
        SleepStagePeriod(start: at(90), end: at(120), stage: .unknown),
      ], lowestHeartRate: 47.5, meanHeartRate: 54.25, rmssd: nil)
    let nights = SleepRepository(database: database)
    try nights.store(night)
    try nights.store(
      (0..<4).map { MovementEpoch(time: at($0 * 30), intensity: 1.5 * Double($0), coverage: 0.75) }, of: session)
    let contents: [SensorEntry.Content] = [
      .started(request: [2, 2], response: [0xF0, 2, 2, 0]), .frame([2, 1, 2, 3, 4, 5, 6, 7, 8, 0]), .stopped([1, 2]),
    ]
    try SensorRepository(database: database).append(
      contents.enumerated().map { place, content in
        SensorEntry(
          sequence: Int64(place), link: 0, monotonic: at(place), wall: WallTime(microseconds: Int64(place)),
          content: content)
      }, to: session)
    try database.close()
  }

  private func contents(of file: String) throws -> [String] {
    let database = try TachogramDatabase.openReadOnly(path: folder.path(file))
    defer { try? database.close() }
    let nights = SleepRepository(database: database)
    var sensors: [SensorEntry] = []
    try SensorRepository(database: database).forEachEntry(of: session) { sensors += $0 }
    let (night, movement) = (try nights.night(of: session), try nights.movement(of: session))
    return ["\(try #require(night))"] + movement.map { "\($0)" } + sensors.map { "\($0)" }
  }

  @Test(arguments: [("json", "s.json"), ("fhir", "s.fhir.json")])
  func testExport_IsImportedWhole(_ format: String, _ file: String) async throws {
    let export = try await Program.success(
      "export", session, "--format", format, "--database", folder.path("1.sqlite")
    ).output
    try export.write(to: URL(fileURLWithPath: folder.path(file)))
    _ = try await Program.success("import", folder.path(file), "--database", folder.path("2.sqlite"))
    let before = try contents(of: "1.sqlite")
    #expect(before.count == 8)
    #expect(try contents(of: "2.sqlite") == before)
    _ = try await Program.success("import", folder.path(file), "--database", folder.path("2.sqlite"))
    #expect(try contents(of: "2.sqlite") == before)
  }

  private func importText(_ text: String, _ name: String, into database: String) async throws {
    try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
    _ = try await Program.success("import", folder.path(name), "--database", folder.path(database))
  }

  private func exportText() async throws -> String {
    try await Program.success("export", session, "--format", "json", "--database", folder.path("1.sqlite")).text
  }

  /// The session is stored as one that is no night: from an older export, or from a capture, which has no clock of the machine.
  @Test(arguments: [true, false])
  func testStoredSessionWithoutANight_GetsIt(ofCapture: Bool) async throws {
    let text = try await exportText().replacing("\"origin\":\"replay\"", with: "\"origin\":\"live\"")
    if ofCapture {
      _ = try await Program.success(
        "replay", FixtureLocator.capture("rest"), "--database", folder.path("2.sqlite"), "--person", "Anna")
    } else {
      let end = try #require(text.range(of: ",\"night\":")).lowerBound
      try await importText(text[..<end] + "}\n", "old.json", into: "2.sqlite")
    }
    try await importText(text, "new.json", into: "2.sqlite")
    #expect(try contents(of: "2.sqlite") == contents(of: "1.sqlite"))
  }

  /// A capture has the notifications that a table of intervals lacks.
  @Test func testBetterCopy_KeepsTheNight() async throws {
    let csv = try await Program.success(
      "export", session, "--format", "csv", "--database", folder.path("1.sqlite")
    ).text
    try await importText(csv, "s.csv", into: "5.sqlite")
    let copy = try #require(try await Program.sessions(in: folder.path("5.sqlite")).first?["id"] as? String)
    _ = try await Program.success("sleep", "stage", copy, "--database", folder.path("5.sqlite"))
    _ = try await Program.success(
      "import", FixtureLocator.capture("rest"), "--database", folder.path("5.sqlite"))
    let database = try TachogramDatabase.openReadOnly(path: folder.path("5.sqlite"))
    defer { try? database.close() }
    let night = try #require(try SleepRepository(database: database).nights().first)
    let kept = try SessionRepository(database: database).session(matching: session).description
    #expect(night.session == session && night.staging != nil)
    #expect(abs(night.lightsOff.microseconds(since: kept.monotonicStart)) < 2_000_000)
  }

  /// Its times are not known yet.
  @Test func testStagesOfANightThatLasts_AreRefused() async throws {
    let database = try TachogramDatabase.open(path: folder.path("1.sqlite"))
    let nights = SleepRepository(database: database)
    var night = try #require(try nights.night(of: session))
    (night.lightsOn, night.staging) = (nil, nil)
    try nights.store(night)
    try database.close()
    let result = try await Program.run(["sleep", "stage", session, "--database", folder.path("1.sqlite")])
    #expect(result.status != 0 && result.errors.contains("lasts"))
    for option in ["--from", "--to"] {
      let late = try await Program.run([
        "sleep", "stage", session, option, "2026-01-02T00:00:00Z", "--database", folder.path("1.sqlite"),
      ])
      #expect(late.status != 0)
    }
  }

  @Test func testInvalidMeasurement_IsNamedAndStoresNothing() async throws {
    let export = try await Program.success(
      "export", session, "--format", "json", "--database", folder.path("1.sqlite")
    ).output
    let text = String(decoding: export, as: UTF8.self)
    for (old, new, key) in [
      ("\"stage\":\"light\"", "\"stage\":\"nap\"", "night.stages[0].stage"),
      ("\"stage\":\"unknown\",", "\"stage\":\"wake\",\"startUs\":1,", "night.stages[1]"),
      ("\"coverage\":0.75", "\"coverage\":1.5", "movement[0].coverage"),
      ("\"intensity\":1.5", "\"intensity\":-1", "movement[1].intensity"),
      ("\"stopped\":\"0102\"", "\"stopped\":\"01x2\"", "sensors[2]"),
      ("\"origin\":\"page\"", "\"origin\":\"dream\"", "night.origin"),
      ("\"lowestHeartRate\":47.5", "\"lowestHeartRate\":1e300", "night.lowestHeartRate"),
    ] {
      #expect(text.contains(old), "\(old)")
      try text.replacing(old, with: new).write(toFile: folder.path("x.json"), atomically: true, encoding: .utf8)
      let result = try await Program.run(["import", folder.path("x.json"), "--database", folder.path("3.sqlite")])
      #expect(result.status != 0 && result.errors.contains(key), "\(key): \(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder.path("3.sqlite")))
    }
  }

  @Test func testPseudonyms_KeepTheNightWithoutItsDate() async throws {
    try Data("0123456789abcdef".utf8).write(to: URL(fileURLWithPath: folder.path("key")))
    _ = try await Program.success(
      "export", "--everything", "--format", "json", "--database", folder.path("1.sqlite"), "--pseudonym",
      folder.path("key"), "--output", folder.path("out"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
    let texts = try names.map { try String(contentsOfFile: folder.path("out/" + $0), encoding: .utf8) }
    let text = try #require(texts.first { $0.contains("\"night\":") })
    #expect(
      text.contains("\"lightsOffUs\":10000000") && text.contains("\"movement\":") && !text.contains("\"sensors\":"))
    _ = try await Program.success("import", folder.path("out"), "--database", folder.path("4.sqlite"))
    let database = try TachogramDatabase.openReadOnly(path: folder.path("4.sqlite"))
    defer { try? database.close() }
    let night = try #require(try SleepRepository(database: database).nights().first)
    #expect(night.staging?.periods.map(\.stage) == [.light, .unknown])
  }
}
