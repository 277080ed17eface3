import CommandProcess
import Foundation
import Repository
import TachogramCore
import Testing

@testable import Exchange

@Suite("Exports of nights")
struct NightExportTests {
  private static let stages: [SleepStage?] = [.wake, .wake, .light, .deep, .deep, nil, .rem, .light, .unknown, .wake]

  private func fixture(_ stages: [SleepStage?] = Self.stages) throws -> NightFixture {
    let fixture = try NightFixture(beats: 60)
    try fixture.store(stages)
    return fixture
  }

  private func object(_ text: String) throws -> Any { try JSONSerialization.jsonObject(with: Data(text.utf8)) }

  // MARK: - What is exported

  @Test func testEpochs_HaveWhatIsKnownOfThem() throws {
    let fixture = try fixture()
    try SleepRepository(database: fixture.database).store(
      [
        MovementEpoch(time: NightFixture.time(1).advanced(byMicroseconds: -4_000_000), intensity: 2.5, coverage: 1),
        MovementEpoch(time: NightFixture.time(3), intensity: 9, coverage: 0),
      ], of: NightFixture.id)
    let night = try fixture.night()
    #expect(night.epochs.map(\.stage) == Self.stages.map { $0 ?? .unknown })
    // The last beat is that of the next epoch.
    #expect(night.epochs.map(\.heartRate) == [60, 60, 60] + [Double?](repeating: nil, count: 7))
    #expect(night.epochs.map(\.movement) == [nil, 2.5] + [Double?](repeating: nil, count: 8))
    #expect(night.lightsOn == NightFixture.start.advanced(byMicroseconds: 10 * NightFixture.epoch))
  }

  @Test(arguments: [
    (nil as Bool?, true, "is no night yet; `tachogram sleep stage 0f1e2d3c`"),
    (true, true, "has not ended; end it first"), (false, false, "no stages yet; `tachogram sleep stage 0f1e2d3c`"),
  ])
  func testNightThatCannotBeExported_SaysWhatToDo(lasts: Bool?, isStaged: Bool, words: String) throws {
    let fixture = try NightFixture()
    if let lasts { try fixture.store(Self.stages, lasts: lasts, isStaged: isStaged) }
    let failure = #expect(throws: CommandFailure.self) { try fixture.night() }
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
  }

  @Test func testSameNight_GivesTheSameBytes() throws {
    for format in NightFormat.allCases {
      #expect(try fixture().export(format) == fixture().export(format), "\(format.rawValue)")
    }
  }

  // MARK: - CSV

  @Test func testCSV_HasARowPerEpochInLocalTime() throws {
    let fixture = try NightFixture(beats: 30)
    // The clock goes from 2:00 to 3:00 after the sixth epoch.
    try fixture.store(Array(repeating: .light, count: 241) + [.unknown])
    let rows = try fixture.text(.csv).split(separator: "\n")
    #expect(rows.count == 243)
    #expect(rows[0] == "start,stage,heart_rate_bpm,movement_mg")
    #expect(rows[1] == "2026-03-29T00:10:00+01:00,light,60.0,")
    #expect(rows[220] == "2026-03-29T01:59:30+01:00,light,,")
    #expect(rows[221] == "2026-03-29T03:00:00+02:00,light,,")
    #expect(rows[242].hasSuffix("+02:00,unknown,,"))
  }

  @Test(arguments: [
    ("Asia/Kathmandu", "2026-03-29T04:55:00+05:45"), ("America/St_Johns", "2026-03-28T20:40:00-02:30"),
    ("UTC", "2026-03-28T23:10:00+00:00"),
  ])
  func testOffset_IsThatOfTheTimeZone(timeZone: String, start: String) throws {
    let text = String(decoding: try fixture().export(.csv, timeZone: timeZone), as: UTF8.self)
    #expect(text.contains("\n\(start),wake,"), "\(text.prefix(100))")
  }

  // MARK: - Apple Health

  @Test func testAppleHealth_HasTimeInBedAndKnownStages() throws {
    let text = try fixture([.wake, .light, .deep, .rem, .nrem, .asleep, .unknown]).text(.appleHealth)
    let values = text.matches(of: /SleepAnalysis" .*startDate="([^"]*)".* value="HKCategoryValueSleepAnalysis(\w+)"/)
    #expect(
      values.map { String($0.output.2) } == [
        "InBed", "Awake", "AsleepCore", "AsleepDeep", "AsleepREM", "AsleepUnspecified", "AsleepUnspecified",
      ])
    #expect(values.first?.output.1 == "2026-03-29 00:10:00 +0100")
    #expect(text.contains("HKQuantityTypeIdentifierHeartRate\" sourceName=\"Tachogram\" unit=\"count/min\""))
    #expect(!text.contains("<!ENTITY") && text.hasSuffix("</HealthData>\n"))
  }

  // MARK: - Open mHealth

  @Test func testOpenMHealth_IsOfTheTimeFromOnsetToAwakening() throws {
    let fixture = try fixture([.wake, .wake, .light, .deep, .wake, .rem, .wake])
    let points = try #require(try object(fixture.text(.openMHealth)) as? [[String: [String: Any]]])
    let headers = points.compactMap { $0["header"]?["schema_id"] as? [String: String] }
    #expect(headers.map { $0["name"] } == ["sleep-episode", "sleep-duration"])
    #expect(headers.map { $0["version"] } == ["1.1", "2.0"])
    let body = try #require(points.first?["body"])
    func value(_ name: String) -> Double? { (body[name] as? [String: Any])?["value"] as? Double }
    #expect(value("latency_to_sleep_onset") == 1)
    #expect(value("latency_to_arising") == 0.5)
    #expect(value("total_sleep_time") == 1.5)
    #expect(value("wake_after_sleep_onset") == 0.5)
    #expect(value("sleep_maintenance_efficiency_percentage") == 75)
    #expect(body["number_of_awakenings"] as? Int == 1)
    let interval = ((body["effective_time_frame"] as? [String: Any])?["time_interval"] as? [String: String])
    #expect(interval?["start_date_time"] == "2026-03-29T00:11:00+01:00")
    #expect(interval?["end_date_time"] == "2026-03-29T00:13:00+01:00")
  }

  @Test func testOpenMHealthOfUnknownEpochs_LeavesOutWhatTheyHide() throws {
    let text = try fixture([.unknown, .light, .unknown, .light, .wake]).text(.openMHealth)
    #expect(text.contains("total_sleep_time") && text.contains("latency_to_arising"))
    for name in ["latency_to_sleep_onset", "wake_after", "awakenings", "efficiency"] {
      #expect(!text.contains(name), "\(name)")
    }
  }

  @Test func testOpenMHealthWithoutSleep_IsRefused() throws {
    let failure = #expect(throws: CommandFailure.self) { try fixture([.wake, .unknown]).text(.openMHealth) }
    #expect(failure?.message.contains("no epoch of sleep") == true)
  }

  // MARK: - FHIR

  @Test(
    arguments: [
      (
        [.wake, .light, .deep, .deep, .rem],
        ["93832-4": 2.0, "93830-8": 0.5, "93831-6": 1, "93829-0": 0.5, "8867-4": 58.5]
      ),
      ([.wake, .nrem, .rem], ["93832-4": 1, "93829-0": 0.5, "8867-4": 58.5]),
      ([.asleep], ["93832-4": 0.5, "8867-4": 58.5]),
    ] as [([SleepStage], [String: Double])])
  func testFHIR_HasTheDurationsThatAreComplete(stages: [SleepStage], values: [String: Double]) throws {
    let bundle = try #require(try object(fixture(stages).text(.fhir)) as? [String: Any])
    let resources = (bundle["entry"] as? [[String: Any]])?.compactMap { $0["resource"] as? [String: Any] } ?? []
    let observations = resources.filter { $0["resourceType"] as? String == "Observation" }
    let found = observations.compactMap { one -> (String, Double)? in
      let coding = ((one["code"] as? [String: Any])?["coding"] as? [[String: String]])?.first
      guard let code = coding?["code"], let value = (one["valueQuantity"] as? [String: Any])?["value"] as? Double else {
        return nil
      }
      return (code, value)
    }
    #expect(Dictionary(uniqueKeysWithValues: found) == values)
    #expect(observations.allSatisfy { ($0["method"] as? [String: String])?["text"] == "heart-rate-night" })
  }
}
