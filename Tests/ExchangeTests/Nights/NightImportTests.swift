import CommandProcess
import Foundation
import Recording
import Repository
import TachogramCore
import TachogramTestKit
import Testing

@testable import Exchange

@Suite("Imports of nights")
struct NightImportTests {
  private let folder: TemporaryFolder
  private let database: TachogramDatabase

  init() throws {
    folder = try TemporaryFolder()
    database = try TachogramDatabase.inMemory()
  }

  private func run(_ text: String, person: String? = nil, start: WallTime? = nil) throws -> [ImportedNightFile] {
    let path = folder.path("night")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    var importer = try NightImporter(database: database, person: person, start: start)
    return try importer.importFile(path)
  }

  private func failure(_ text: String, start: WallTime? = nil) -> String? {
    (#expect(throws: CommandFailure.self) { try run(text, start: start) })?.message
  }

  /// Returns the stages of the only night, a letter each.
  private func stages() throws -> String {
    let nights = try SleepRepository(database: database).nights()
    try #require(nights.count == 1)
    let letters: [SleepStage: String] = [
      .wake: "W", .light: "L", .deep: "D", .rem: "R", .nrem: "N", .asleep: "A", .unknown: "?",
    ]
    return nights[0].staging?.stages.compactMap { letters[$0] }.joined() ?? ""
  }

  // MARK: - Tables

  @Test func testExportOfANight_IsStoredOnce() throws {
    let fixture = try NightFixture(beats: 40)
    try fixture.store([.wake, .light, .deep, nil, .rem, .nrem, .asleep, .unknown, .wake])
    let csv = try fixture.text(.csv)
    let first = try run(csv, person: "Anna")
    #expect(first.map(\.outcome) == [.new] && first[0].minutesAsleep == 2.5)
    #expect(try stages() == "WLD?RNA?W")
    #expect(try run(csv).map(\.outcome) == [.known])
    let record = try SessionRepository(database: database).session(matching: first[0].session)
    #expect(record.description.person == "Anna" && record.description.start == NightFixture.start)
    #expect(record.description.madeFrom == "sleep-csv" && record.entryCount == 0 && record.isComplete)
    let night = try SleepRepository(database: database).night(of: first[0].session)
    #expect(night?.origin == .file && night?.staging?.estimator == "sleep-csv")
    // Exported again, it is the same but for what was measured.
    let sink = MemorySink()
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    try NightFormat.csv.write(NightExport(record, in: database, timeZone: zone), to: sink)
    #expect(String(decoding: sink.bytes, as: UTF8.self) == csv.replacing("60.0", with: ""))
  }

  @Test func testNightOfARecording_IsKnown() throws {
    let fixture = try NightFixture()
    try fixture.store([.wake, .light])
    let path = folder.path("own.csv")
    try Data(fixture.export(.csv)).write(to: URL(fileURLWithPath: path))
    var importer = try NightImporter(database: fixture.database, person: nil, start: nil)
    let found = try importer.importFile(path)
    #expect(found.map(\.outcome) == [.known] && found[0].session == NightFixture.id)
  }

  @Test func testNightOfNobody_GetsAPerson() throws {
    let text = "time,stage\n2026-03-29T00:10:00Z,W\n"
    _ = try run(text)
    #expect(try run(text, person: "Anna").map(\.person) == ["Anna"])
    #expect(try run(text).map(\.person) == ["Anna"])
    // Two who went to bed at the same time.
    #expect(try run(text, person: "Bob").map(\.outcome) == [.new])
    #expect(try run(text.replacing(",W", with: ",N1"), person: "Bob").map(\.outcome) == [.changed])
    #expect(Set(try SessionRepository(database: database).sessions().map(\.description.person)) == ["Anna", "Bob"])
    #expect(try run(text, person: "Anna").map(\.outcome) == [.known])
  }

  @Test func testOtherStagesOfTheSameStart_ReplaceThem() throws {
    let heading = "time,stage\n"
    let row = "2026-03-29T00:10:00Z"
    #expect(try run("\(heading)\(row),W\n").map(\.outcome) == [.new])
    #expect(try run("\(heading)\(row),N2\n").map(\.outcome) == [.changed])
    #expect(try stages() == "L")
  }

  @Test(arguments: [
    // Epochs of 30 s; a missing row is unknown.
    ("time,stage\n0,W\n30,N1\n60,N2\n120,R\n150,N3\n", "WLL?RD"),
    // Epochs of 20 s.
    ("onset;Stage\r\n0;Sleep stage W\r\n20;Sleep stage W\r\n40;Sleep stage 4\r\n60;Sleep stage 4\r\n", "WDD"),
    // Changes: the last stage lasts an epoch.
    ("Time\tX\tStage\n0\t\tawake\n600\t\t\"deep\"\n660\t\t?\n700\t\tREM\n", String(repeating: "W", count: 20) + "DD?R"),
    ("\u{FEFF}stage,timestamp\nasleep,0.0\n", "A"),
  ])
  func testTableOfSeconds_IsRead(text: String, expected: String) throws {
    _ = try run(text, start: NightFixture.start)
    #expect(try stages() == expected)
  }

  @Test(arguments: [
    ("time,stage\n0,W\n", "line 2: the times are in seconds; give the start of the night with --start"),
    ("time,stage\n2026-03-29T00:10:00,W\n", "line 2: \"2026-03-29T00:10:00\" has no offset"),
    ("time,stage\n2026-03-29T00:10:00Z,5\n", "line 2: the stage 5 is a number"),
    ("time,stage\n2026-03-29T00:10:00Z,dreaming\n", "line 2: \"dreaming\" is not a stage; use W, N1"),
    ("time,stage\nnoon,W\n", "line 2: \"noon\" is not a time"), ("time,stage\n\n", "there is no night"),
    ("time,stage\n2026-03-29T00:10:00Z,W\n\n2026-03-29T00:10:00Z,W\n", "line 4: the time is not after"),
    ("time,stage\n2026-03-29T00:10:00Z,W\n2026-03-28T00:10:00Z,W\n", "line 3: the time is not after"),
    ("time,stage\n2026-03-29T00:10:00Z\n", "line 2: the row has 1 cells; expected 2"),
    ("time,stage\n2026-03-29T00:10:00Z,W\n2026-04-29T00:10:00Z,W\n", "line 3: the night is longer than a week"),
    ("time,stage\n2926-03-29T00:10:00Z,W\n", "line 2: the time is no date"),
    ("time,stage\n-5,W\n", "line 2: \"-5\" is out of range; seconds from the start of the night are 0 to 604800"),
    ("time,stage\n604830,W\n", "\"604830\" is out of range"), ("time,stage\n1e300,W\n", "\"1e300\" is out of range"),
    ("time,stage\ninf,W\n", "is not a time"),
    ("a,b\n1,2\n", "line 1: the heading needs"), ("", "there is no night"), (" \n", "there is no night"),
    ("time,st\0age\n", "this is no table"), ("PK\u{3}\u{4}", "compressed"),
    (
      "start,stage,heart_rate_bpm,movement_mg\n2026-03-29T00:10:00Z,wake,,\n2026-03-29T00:10:10Z,wake,,\n",
      "line 3: it overlaps"
    ),
  ])
  func testTableThatCannotBeRead_NamesTheLine(text: String, words: String) throws {
    let message = try #require(failure(text))
    #expect(message.contains("night: ") && message.contains(words), "\(message)")
    #expect(try SleepRepository(database: database).nights().isEmpty)
    #expect(try SessionRepository(database: database).sessions().isEmpty)
  }

  // MARK: - Open mHealth

  private func point(_ name: String, _ version: String, _ body: String, source: String = "Watch") -> String {
    """
    {"header":{"id":"1","creation_date_time":"2026-03-29T08:00:00Z","schema_id":{"namespace":"omh","name":"\(name)",
    "version":"\(version)"},"acquisition_provenance":{"source_name":"\(source)"}},"body":{\(body)}}
    """
  }

  private func frame(_ interval: String) -> String { "\"effective_time_frame\":{\"time_interval\":{\(interval)}}" }

  private static let interval =
    "\"start_date_time\":\"2026-03-29T00:10:00+01:00\",\"end_date_time\":\"2026-03-29T00:12:00+01:00\""

  @Test(arguments: [
    (interval, "\"total_sleep_time\":{\"value\":2,\"unit\":\"min\"}", "AAAA", nil as String?),
    (
      "\"start_date_time\":\"2026-03-28T23:10:00Z\",\"duration\":{\"value\":120,\"unit\":\"sec\"}",
      "\"total_sleep_time\":{\"value\":90,\"unit\":\"sec\"},\"wake_after_sleep_onset\":{\"value\":0.5,\"unit\":\"min\"}",
      "????", "Open mHealth: asleep 1.5 min, awake after sleep onset 0.5 min"
    ),
    (
      "\"end_date_time\":\"2026-03-28T23:12:00Z\",\"duration\":{\"value\":2,\"unit\":\"min\"}",
      "\"latency_to_sleep_onset\":{\"value\":1,\"unit\":\"min\"},\"latency_to_arising\":{\"value\":30,\"unit\":\"sec\"}",
      "WW????W", nil
    ),
  ])
  func testEpisode_HasTheTimesThatItTells(interval: String, body: String, expected: String, note: String?) throws {
    let text = point("sleep-episode", "1.1", "\(frame(interval)),\(body)")
    let found = try run(text)
    #expect(try stages() == expected)
    #expect(found.map(\.source) == ["Watch"] && found[0].note == note)
    #expect(try SessionRepository(database: database).session(matching: found[0].session).note == note)
    #expect(try run("[\(text)]").map(\.outcome) == [.known])
  }

  @Test func testOwnExport_IsOneNight() throws {
    let fixture = try NightFixture()
    try fixture.store([.wake, .light, .deep, .wake])
    #expect(try run(try fixture.text(.openMHealth)).count == 1)
    #expect(try stages() == "WAAW")
  }

  @Test func testDurationAlone_IsANight() throws {
    let duration = "\"sleep_duration\":{\"value\":2,\"unit\":\"min\"}"
    let other = point("heart-rate", "2.0", "\"heart_rate\":{\"value\":50,\"unit\":\"beats/min\"}")
    #expect(try run("[\(other),\(point("sleep-duration", "2.0", "\(frame(Self.interval)),\(duration)"))]").count == 1)
    #expect(try stages() == "AAAA")
  }

  @Test(arguments: [
    ("sleep-episode", "2.0", "\"x\":1", "at header.schema_id.version: version 2.0"),
    ("sleep-episode", "1.1", "\"x\":1", "at body.effective_time_frame: the time frame needs two"),
    (
      "sleep-episode", "1.1", "\"effective_time_frame\":{\"time_interval\":{\"start_date_time\":\"x\"}}",
      "\"x\" is not a time"
    ),
    (
      "sleep-episode", "1.1", "\"effective_time_frame\":{\"time_interval\":{\"start_date_time\":3}}",
      "a value of another type at body.effective_time_frame.time_interval.start_date_time"
    ),
    (
      "sleep-episode", "1.1",
      "\"effective_time_frame\":{\"time_interval\":{\"end_date_time\":\"2026-03-29T00:10:00Z\",\"start_date_time\":\"2026-03-29T00:12:00Z\"}}",
      "at body.effective_time_frame.time_interval: the end is not after the start"
    ),
    (
      "sleep-episode", "1.1",
      "\"effective_time_frame\":{\"time_interval\":{\(interval)}},"
        + "\"total_sleep_time\":{\"value\":1e300,\"unit\":\"min\"}", "at body.total_sleep_time: the value is not"
    ),
    (
      "sleep-episode", "1.1",
      "\"effective_time_frame\":{\"time_interval\":{\(interval)}},"
        + "\"total_sleep_time\":{\"value\":3,\"unit\":\"min\"}", "at body.total_sleep_time: the value is not"
    ),
    (
      "sleep-duration", "2.0",
      "\"effective_time_frame\":{\"time_interval\":{\(interval)}},"
        + "\"sleep_duration\":{\"value\":1,\"unit\":\"fortnight\"}", "at body.sleep_duration: the value is not"
    ),
    ("heart-rate", "2.0", "\"x\":1", "there is no night"),
  ])
  func testDataPointThatCannotBeRead_NamesTheField(
    name: String, version: String, body: String, words: String
  ) throws {
    let message = try #require(failure(point(name, version, body)))
    #expect(message.contains(words), "\(message)")
  }

  @Test func testOverlappingEpisodesOfOneSource_AreRefused() throws {
    let one = point("sleep-episode", "1.1", frame(Self.interval))
    let message = try #require(failure("[\(one),\(one)]"))
    #expect(message.contains("at [1].body.effective_time_frame: it overlaps"), "\(message)")
    #expect(try run("[\(one),\(point("sleep-episode", "1.1", frame(Self.interval), source: "Ring"))]").count == 2)
  }

  @Test(arguments: ["{", "[{}]", "[]", "{\"header\":[]}", String(repeating: "[", count: 100_000)])
  func testOtherJSON_IsRefused(text: String) throws {
    #expect(failure(text)?.isEmpty == false)
  }
}
