import Repository
import TachogramCore
import Testing

@Suite("Readings")
struct ReadingRepositoryTests {
  private let database: TachogramDatabase
  private let readings: ReadingRepository

  init() throws {
    database = try .inMemory()
    readings = ReadingRepository(database: database)
    try SessionRepository(database: database).begin(
      SessionFixture.description(person: "Anna"), with: SessionFixture.batch(0..<20))
    try readings.add([
      Self.reading(1, .morning, "Anna", session: SessionFixture.id), Self.reading(2, .spot, "Anna"),
      Self.reading(3, .morning, nil), Self.reading(4, .morning, "Anna"),
    ])
  }

  private static func reading(
    _ number: Int, _ kind: HRVReading.Kind, _ person: String?, session: String? = nil
  ) -> HRVReading {
    HRVReading(
      id: SessionFixture.identifier(number), kind: kind, person: person, session: session,
      start: WallTime(microseconds: SessionFixture.wallStart + Int64(number) * 1_000_000), duration: .seconds(60),
      coverage: 0.97, artifactShare: 0.01, count: 61, meanHeartRate: 60.5, sdnn: 50.25, rmssd: 41.125)
  }

  private func numbers(_ person: String?, _ kind: HRVReading.Kind? = nil) throws -> [String] {
    try readings.readings(of: person, kind: kind).map { String($0.id.prefix(8)) }
  }

  @Test func testReadings_AreThoseOfOnePerson() throws {
    #expect(try numbers("Anna") == ["00000004", "00000002", "00000001"])
    #expect(try numbers("Anna", .morning) == ["00000004", "00000001"])
    #expect(try numbers(nil) == ["00000003"])
    #expect(try numbers("Bert") == [])
    let last = try #require(try readings.readings(of: "Anna").last)
    #expect(last == Self.reading(1, .morning, "Anna", session: SessionFixture.id))
  }

  @Test func testStoredReading_IsNotReplaced() throws {
    var changed = Self.reading(2, .spot, "Anna")
    changed.rmssd = 1
    try readings.add([changed])
    #expect(try readings.readings(of: "Anna", kind: .spot).map(\.rmssd) == [41.125])
    #expect(try readings.delete(changed.id) && !readings.delete(changed.id))
  }

  @Test func testPolicy_KeepsThemAndAPersonDeletesThem() throws {
    let deletion = DeletionRepository(database: database)
    let late = WallTime(microseconds: SessionFixture.wallStart + 1 << 40)
    #expect(try deletion.expire(before: late, except: []) == 1)
    #expect(try numbers("Anna").count == 3)
    var selection = SessionSelection()
    selection.person = "Anna"
    #expect(try deletion.preview(selection).readings == 3)
    _ = try deletion.delete(selection)
    #expect(try numbers("Anna") == [])
    #expect(try numbers(nil).count == 1)
  }

  @Test func testDeletedSession_TakesItsReadingsAlong() throws {
    var selection = SessionSelection()
    selection.session = SessionFixture.id
    let deletion = DeletionRepository(database: database)
    #expect(try deletion.preview(selection).readings == 1)
    #expect(try deletion.delete(selection).readings == 1)
    #expect(try numbers("Anna") == ["00000004", "00000002"])
  }
}
