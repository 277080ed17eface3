import FoundationEssentials
import GRDB
import Repository
import StressKit
import TachogramContracts
import TachogramCore
import TachogramTestKit
import Testing

@Suite("Stress repository")
struct StressRepositoryTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private static func repository(
    _ database: TachogramDatabase, person: String? = nil, kind: HRVKind = .sdnn,
  ) -> StressRepository {
    StressRepository(database: database, person: person, kind: kind, now: { now })
  }

  // MARK: - Contract

  @Test(arguments: TestStorage.allCases, [nil, "Anna"])
  func testEveryStorage_KeepsTheContract(storage: TestStorage, person: String?) async throws {
    for kind in HRVKind.allCases {
      let count = Counter()
      let contract = StressRepositoryContract(person: person, kind: kind) { [folder] in
        let database = try storage.open(in: folder, name: "\(kind.rawValue)-\(count.increment()).sqlite")
        // Each holds a measurement and a baseline of somebody else.
        let other = Self.repository(database, person: "Ben", kind: kind)
        try await other.save(SessionFixture.stress(person: "Ben", kind: kind, sessionID: nil))
        try await other.updateBaseline(.default(kind: kind, lastUpdated: Self.now))
        return Self.repository(database, person: person, kind: kind)
      }
      try await contract.check()
    }
  }

  // MARK: - Nothing is mixed

  @Test func testPersonsAndKinds_AreNeverMixed() async throws {
    let database = try TachogramDatabase.inMemory()
    let owners: [(String?, HRVKind)] = [
      (nil, .sdnn), (nil, .rmssd), ("Anna", .sdnn), ("Anna", .rmssd), ("Ben", .sdnn),
    ]
    for (index, (person, kind)) in owners.enumerated() {
      let repository = Self.repository(database, person: person, kind: kind)
      try await repository.save(SessionFixture.stress(person: person, kind: kind, sessionID: nil))
      try await repository.updateBaseline(
        PersonalBaseline(
          restingHeartRate: 50, baselineHRV: Double(10 + index), kind: kind, sampleCount: 30, isPersonal: true,
          lastUpdated: Self.now,
        ))
    }
    for (index, (person, kind)) in owners.enumerated() {
      let repository = Self.repository(database, person: person, kind: kind)
      let fetched = try await repository.fetchAll()
      #expect(fetched.count == 1)
      #expect(fetched.first?.person == person)
      #expect(fetched.first?.kind == kind)
      #expect(try await repository.getBaseline().baselineHRV == Double(10 + index))
    }
    try await Self.repository(database, person: "Anna", kind: .sdnn).deleteAll()
    #expect(try await Self.repository(database, person: "Anna", kind: .rmssd).fetchAll().count == 1)
    #expect(try await Self.repository(database, person: nil, kind: .sdnn).fetchAll().count == 1)
  }

  @Test func testUnknownPerson_DoesNotSeeOrDeleteWhatIsNobodys() async throws {
    let database = try TachogramDatabase.inMemory()
    let nobody = Self.repository(database)
    let measurement = SessionFixture.stress(sessionID: nil)
    try await nobody.save(measurement)
    try await nobody.updateBaseline(
      PersonalBaseline(
        restingHeartRate: 50, baselineHRV: 33, sampleCount: 30, isPersonal: true, lastUpdated: Self.now,
      ))
    let unknown = Self.repository(database, person: "Anna")
    #expect(try await unknown.fetchAll().isEmpty)
    #expect(try await unknown.getBaseline() == .default(lastUpdated: Self.now))
    try await unknown.delete(measurement)
    try await unknown.deleteAll()
    #expect(try await nobody.fetchAll() == [measurement])
  }

  @Test func testValueOfAnotherPersonOrKind_IsRefused() async throws {
    let database = try TachogramDatabase.inMemory()
    let repository = Self.repository(database, person: "Anna")
    await #expect(throws: RepositoryError.otherPerson) {
      try await repository.save(SessionFixture.stress(person: "Ben", sessionID: nil))
    }
    await #expect(throws: RepositoryError.otherPerson) {
      try await repository.save(SessionFixture.stress(person: nil, sessionID: nil))
    }
    await #expect(throws: RepositoryError.otherKind(expected: .sdnn, found: .rmssd)) {
      try await repository.save(SessionFixture.stress(person: "Anna", kind: .rmssd, sessionID: nil))
    }
    await #expect(throws: RepositoryError.otherKind(expected: .sdnn, found: .rmssd)) {
      try await repository.updateBaseline(.default(kind: .rmssd, lastUpdated: Self.now))
    }
  }

  @Test func testIdentifierOfAnotherPerson_IsRefused() async throws {
    let database = try TachogramDatabase.inMemory()
    let mine = SessionFixture.stress(person: "Anna", sessionID: nil)
    try await Self.repository(database, person: "Anna").save(mine)
    let theirs = Self.changed(mine) { $0.person = "Ben" }
    let ben = Self.repository(database, person: "Ben")
    await #expect(throws: RepositoryError.measurementConflict(id: mine.id)) { try await ben.save(theirs) }
    try await ben.delete(theirs)
    #expect(try await Self.repository(database, person: "Anna").fetchAll() == [mine])
  }

  // MARK: - Tombstones

  @Test func testDeletion_LeavesTombstoneToBeSynchronised() async throws {
    let database = try TachogramDatabase.inMemory()
    let repository = Self.repository(database)
    var measurement = SessionFixture.stress(sessionID: nil)
    measurement.isSynced = true
    try await repository.save(measurement)
    try await repository.delete(measurement)
    let tombstones = try await database.writer.read { db in
      try Int64.fetchAll(db, sql: "SELECT modified_us FROM stress_measurement WHERE is_deleted = 1 AND is_synced = 0")
    }
    #expect(tombstones == [1_800_000_000_000_000])
  }

  // MARK: - Sessions

  @Test func testMeasurementOfSession_KeepsItsSession() async throws {
    let database = try TachogramDatabase.inMemory()
    try SessionRepository(database: database).begin(SessionFixture.description())
    let measurement = SessionFixture.stress()
    try await Self.repository(database).save(measurement)
    #expect(try await Self.repository(database).fetchAll() == [measurement])
  }

  @Test func testMeasurementOfUnknownSession_IsRefused() async throws {
    let repository = Self.repository(try .inMemory())
    await #expect(throws: RepositoryError.sessionNotFound(prefix: SessionFixture.id)) {
      try await repository.save(SessionFixture.stress())
    }
  }

  @Test func testHistory_LeavesOutOneSessionAndIsOldestFirst() async throws {
    let database = try TachogramDatabase.inMemory()
    let sessions = SessionRepository(database: database)
    let other = SessionFixture.identifier(2)
    try sessions.begin(SessionFixture.description())
    try sessions.begin(SessionFixture.description(id: other))
    let repository = Self.repository(database)
    let measurements = [
      SessionFixture.stress(second: 3, sessionID: other), SessionFixture.stress(second: 0, sessionID: nil),
      SessionFixture.stress(second: 1), SessionFixture.stress(second: 2, sessionID: other),
    ]
    for measurement in measurements { try await repository.save(measurement) }
    let deleted = SessionFixture.stress(second: 1.5, sessionID: nil)
    try await repository.save(deleted)
    try await repository.delete(deleted)

    let start = measurements[1].timestamp
    let history = try repository.hrvHistory(
      since: start, until: start + 2, excludingSession: SessionFixture.id,
    )
    #expect(history.hrv.map(\.timestamp) == [start, start + 2])
    #expect(history.heartRate.map(\.timestamp) == [start, start + 2])
    #expect(history.hrv.allSatisfy { $0.value == 25 && $0.kind == .sdnn })
    #expect(history.heartRate.allSatisfy { $0.value == 60 })
    #expect(try repository.hrvHistory(since: start, until: start + 3).hrv.count == 4)
  }

  // MARK: - Impossible values

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func testDateOutOfRange_IsRefused(seconds: Double) async throws {
    let repository = Self.repository(try .inMemory())
    let measurement = Self.changed(SessionFixture.stress(sessionID: nil)) {
      $0.timestamp = Date(timeIntervalSince1970: seconds)
    }
    await #expect(throws: RepositoryError.unstorable(field: "timestamp")) {
      try await repository.save(measurement)
    }
  }

  @Test(arguments: [-0.001, 100.001, .nan, .infinity])
  func testLevelOutOfRange_IsRefused(level: Double) async throws {
    let repository = Self.repository(try .inMemory())
    let measurement = Self.changed(SessionFixture.stress(sessionID: nil)) { $0.stressLevel = level }
    await #expect {
      try await repository.save(measurement)
    } throws: { error in
      if case RepositoryError.contradiction(":memory:", _) = error { true } else { false }
    }
  }

  @Test func testHourlyValueNotFinite_IsRefused() async throws {
    let repository = Self.repository(try .inMemory())
    let baseline = Self.changed(PersonalBaseline.default(lastUpdated: Self.now)) { $0.hourlyHRV = [1: .nan] }
    await #expect(throws: RepositoryError.unstorable(field: "hourly HRV")) {
      try await repository.updateBaseline(baseline)
    }
  }

  // MARK: - Values

  private static func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var value = value
    change(&value)
    return value
  }
}
