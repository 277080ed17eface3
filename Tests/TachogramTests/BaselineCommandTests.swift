import Foundation
import Repository
import StressKit
import TachogramCore
import TachogramTestKit
import Testing

struct BaselineCommandTests {
  private let folder: TemporaryFolder
  private var database: String { folder.path("t.sqlite") }

  /// Twenty mornings of Anna, the last on 2026-03-01: from 06:00 to 06:10 UTC a window a minute. ln RMSSD is 3.5 and 4.5
  /// by turns, and 4.5 in the last week.
  init() throws {
    folder = try TemporaryFolder()
    let database = try TachogramDatabase.open(path: folder.path("t.sqlite"))
    let repository = SessionRepository(database: database)
    let last = try #require(CivilDay(text: "2026-03-01"))
    for number in 0..<20 {
      let session = Self.session(number, startSecond: (last.number - Int64(19 - number)) * 86_400 + 6 * 3600)
      var batch = SessionBatch()
      for minute in Int64(1)...10 {
        batch.windows.append(
          Self.window(minute: minute, lnRMSSD: number % 2 == 0 && number < 13 ? 3.5 : 4.5, sdnn: 40 + Double(number)))
      }
      batch.stress = [Self.measurement(of: session, minute: 5), Self.measurement(of: session, minute: 6)]
      try repository.begin(session, with: batch)
    }
    try database.close()
  }

  private static func session(_ number: Int, startSecond: Int64) -> SessionDescription {
    SessionDescription(
      id: "0000\(1000 + number)-aaaa-8bbb-9ccc-ddddeeeeffff",
      strap: StrapIdentity(address: BluetoothAddress(value: 0xC8DE_ADBE_EF01, kind: .random), characteristics: [:]),
      origin: .live, person: "Anna", start: WallTime(microseconds: startSecond * 1_000_000),
      monotonicStart: MonotonicTime(microseconds: 77_000_000))
  }

  private static func window(minute: Int64, lnRMSSD: Double, sdnn: Double) -> HRVWindow {
    var values = HRVValues()
    values.lnRMSSD = lnRMSSD
    values.sdnn = sdnn
    values.meanHeartRate = 60
    return HRVWindow(
      length: 300, end: MonotonicTime(microseconds: (77 + minute * 60) * 1_000_000), coverage: 1, artifactShare: 0,
      metrics: TimeDomainMetrics(
        count: 300, pairCount: 299, duration: Double(min(5, minute)) * 60_000, values: values))
  }

  private static func measurement(of session: SessionDescription, minute: Int64) -> StressMeasurement {
    let time = session.start.advanced(byMicroseconds: minute * 60_000_000).date
    return StressMeasurement(
      id: UUID(), timestamp: time, stressLevel: 10, category: .relaxed, confidence: 1, hrv: 45, kind: .sdnn,
      heartRate: 52, restingHeartRate: 60, person: "Anna", sessionID: session.id, deviceID: "gateway", modified: time)
  }

  private func ask(_ arguments: String...) async throws -> Program.Result {
    try await Program.run(["baseline", "--database", database] + arguments)
  }

  private func section(_ name: String, of value: Any?) throws -> [String: Any] {
    try #require((value as? [String: Any])?[name] as? [String: Any], "\(name)")
  }

  // MARK: - Answers

  @Test func testTwentyMornings_GiveBaselineAndReadiness() async throws {
    let result = try await ask(
      "--person", "Anna", "--date", "2026-03-01", "--time-zone", "UTC", "--format", "json")
    #expect(result.status == 0, "\(result.errors)")
    let object = try result.object()
    #expect(object["person"] as? String == "Anna")
    #expect(object["date"] as? String == "2026-03-01")

    let stress = try section("stress", of: object)
    let sdnn = try section("sdnn", of: stress)
    #expect(sdnn["personal"] as? Bool == true)
    #expect(sdnn["samples"] as? Int == 40)
    #expect(sdnn["hrv"] as? Double == 45)
    #expect(sdnn["restingHeartRate"] as? Double == 52)
    #expect(try section("rmssd", of: stress)["personal"] as? Bool == false)

    // Of each morning the windows at the minutes 4 and 9.
    let baseline = try section("baseline", of: object)
    #expect(baseline["windows"] as? Int == 40)
    #expect(baseline["restingHeartRate"] as? Double == 60)
    let metric = try section("sdnn", of: try section("metrics", of: baseline))
    #expect(metric["median"] as? Double == 49.5)
    #expect(metric["windows"] as? Int == 40)
    #expect(metric["hourly"] as? [String: Double] == ["6": 49.5])
    let missing = try section("rmssd", of: try section("metrics", of: baseline))
    #expect(missing["unavailable"] as? String == "not enough data yet: 0 of 30 five-minute windows")

    // Seven mornings of 3.5 and thirteen of 4.5: mean 4.15, standard deviation √(20 · 0.35 · 0.65 / 19).
    let readiness = try section("readiness", of: object)
    #expect(readiness["level"] as? String == "above")
    #expect(readiness["weekMornings"] as? Int == 7)
    #expect(readiness["mornings"] as? Int == 20)
    #expect(readiness["weekLnRMSSD"] as? Double == 4.5)
    #expect(readiness["weekVariationPercent"] as? Double == 0)
    let upper = try #require(try section("normalLnRMSSD", of: readiness)["upper"] as? Double)
    #expect(abs(upper - (4.15 + 0.5 * (20 * 0.35 * 0.65 / 19).squareRoot())) < 1e-9)
  }

  /// 06:04 UTC is 01:04 in New York, before the morning, and 11:04 in Karachi.
  @Test(arguments: [("America/New_York", 0, "1"), ("Asia/Karachi", 20, "11")])
  func testTimeZone_DecidesOnMorningsAndHours(zone: String, mornings: Int, hour: String) async throws {
    let object = try await ask(
      "--person", "Anna", "--date", "2026-03-01", "--time-zone", zone, "--format", "json"
    ).object()
    #expect(try section("readiness", of: object)["mornings"] as? Int == mornings)
    let metrics = try section("metrics", of: try section("baseline", of: object))
    #expect((try section("sdnn", of: metrics)["hourly"] as? [String: Double])?.keys.sorted() == [hour])
  }

  @Test func testDate_LeavesOutWhatCameLater() async throws {
    let object = try await ask(
      "--person", "Anna", "--date", "2026-02-12", "--time-zone", "UTC", "--format", "json"
    ).object()
    let readiness = try section("readiness", of: object)
    #expect(readiness["mornings"] as? Int == 3)
    #expect(readiness["level"] == nil)
    #expect(readiness["unavailable"] as? [String] == ["needs 14 mornings with a reading in 60 days, has 3"])
  }

  @Test(arguments: [["--person", "Ben"], []])
  func testTooLittle_IsAnAnswerWithReasons(person: [String]) async throws {
    let result = try await Program.run(
      ["baseline", "--database", database, "--date", "2026-03-01", "--time-zone", "UTC"] + person)
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    #expect(result.text.contains("readiness not known"))
    #expect(result.text.contains("needs 3 mornings with a reading in the last 7 days, has 0"))
    #expect(result.text.contains("default baseline, not yet personal"))
  }

  @Test func testText_SaysTheLevelInWords() async throws {
    let text = try await ask("--person", "Anna", "--date", "2026-03-01", "--time-zone", "UTC").text
    #expect(text.contains("baseline of Anna on 2026-03-01"))
    #expect(text.contains("readiness above the normal range"))
    #expect(text.contains("SDNN 49.5 ms"))
    #expect(text.contains("06  SDNN 49.5 ms"))
  }

  // MARK: - Bad usage

  @Test(arguments: [
    (["--date", "2026-02-29"], "2026-02-29"), (["--date", "yesterday"], "such as 2026-03-29"),
    (["--time-zone", "Mars/Olympus"], "Europe/Berlin"), (["--format", "ndjson"], "text or json"),
  ])
  func testBadArgument_IsNamed(arguments: [String], words: String) async throws {
    let result = try await Program.run(["baseline", "--database", database] + arguments)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains(words), "\(result.errors)")
  }
}
