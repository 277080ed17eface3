import FoundationEssentials
import StressKit
import Synchronization
import Testing

/// The members that only one of the two versions of a contract has, made of those of the other.
@Suite("Members of the contracts that have a default")
struct ServiceDefaultsTests {
  private static let start = Date(timeIntervalSince1970: 1_760_000_000)

  private static func measurement(_ level: Double, minutes: Double = 0) -> StressMeasurement {
    StressMeasurement(
      timestamp: start.addingTimeInterval(60 * minutes), stressLevel: level, hrv: 50, restingHeartRate: 60)
  }

  /// Has the members of the longer version of the contract alone.
  private final class Cloud: CloudKitServiceProtocol {
    let stored = Mutex<[StressMeasurement]>([])
    let syncStatus = SyncStatus.idle
    let lastSyncDate: Date? = nil

    func saveMeasurement(_ measurement: StressMeasurement) async throws { stored.withLock { $0.append(measurement) } }
    func fetchMeasurements(since date: Date?) async throws -> [StressMeasurement] {
      stored.withLock { all in all.filter { $0.timestamp >= date ?? .distantPast } }
    }
    func deleteMeasurement(_ measurement: StressMeasurement) async throws {
      stored.withLock { all in all.removeAll { $0.id == measurement.id } }
    }
    func performFullSync() async throws {}
    func checkAccountStatus() async throws -> CloudKitAccountStatus { .available }
  }

  /// Has the members of the shorter version of the contract alone.
  private actor Records: CloudKitServiceProtocol {
    private(set) var stored: [StressMeasurement] = []

    func sync(measurement: StressMeasurement) async throws { stored.append(measurement) }
    func fetchCloudMeasurements() async throws -> [StressMeasurement] { stored }
    func deleteCloudRecords(ids: [String]) async throws { stored.removeAll { ids.contains($0.id.uuidString) } }
  }

  /// Has no member of either version.
  private struct Nothing: CloudKitServiceProtocol {}

  /// Has no member that has a default.
  private actor Store: StressRepositoryProtocol {
    private var kept: [StressMeasurement] = []

    func save(_ measurement: StressMeasurement) async throws { kept.append(measurement) }
    func fetchRecent(limit: Int) async throws -> [StressMeasurement] {
      Array(kept.sorted { $0.timestamp > $1.timestamp }.prefix(limit))
    }
  }

  /// Has the members of the version that deletes single measurements.
  private actor Keeper: StressRepositoryProtocol {
    private var kept: [StressMeasurement] = []

    func save(_ measurement: StressMeasurement) async throws { kept.append(measurement) }
    func fetchRecent(limit: Int) async throws -> [StressMeasurement] { Array(kept.reversed().prefix(limit)) }
    func fetchAll() async throws -> [StressMeasurement] { kept.reversed() }
    func delete(_ measurement: StressMeasurement) async throws { kept.removeAll { $0.id == measurement.id } }
  }

  private struct Sensor: HealthKitServiceProtocol {
    let newest: HRVMeasurement?
    func requestAuthorization() async throws {}
    func fetchLatestHRV() async throws -> HRVMeasurement? { newest }
    func fetchHeartRate(samples: Int) async throws -> [HeartRateSample] { [] }
  }

  private struct Algorithm: StressAlgorithmServiceProtocol {
    func calculateStress(hrv: Double, heartRate: Double, baseline: PersonalBaseline) async throws -> StressResult {
      let calculator = StressCalculator(baseline: baseline, now: { ServiceDefaultsTests.start })
      return try await calculator.calculateStress(hrv: hrv, heartRate: heartRate, baseline: baseline)
    }
    func calculateConfidence(hrv: Double, heartRate: Double, samples: Int) -> Double { 1 }
  }

  @Test func testCloud_OfTheShorterVersion_IsMadeOfTheLonger() async throws {
    let cloud = Cloud()
    let measurements = (0..<3).map { Self.measurement(Double($0), minutes: Double($0)) }
    for measurement in measurements { try await cloud.sync(measurement: measurement) }
    #expect(try await cloud.fetchCloudMeasurements() == measurements)
    try await cloud.deleteCloudRecords(ids: [measurements[1].id.uuidString, "no identifier", UUID().uuidString])
    #expect(try await cloud.fetchCloudMeasurements() == [measurements[0], measurements[2]])
  }

  @Test func testCloud_OfTheLongerVersion_IsMadeOfTheShorter() async throws {
    let cloud = Records()
    let measurements = (0..<3).map { Self.measurement(Double($0), minutes: Double($0)) }
    for measurement in measurements { try await cloud.saveMeasurement(measurement) }
    #expect(try await cloud.fetchMeasurements(since: nil) == measurements)
    #expect(try await cloud.fetchMeasurements(since: measurements[1].timestamp) == Array(measurements[1...]))
    try await cloud.deleteMeasurement(measurements[1])
    #expect(await cloud.stored == [measurements[0], measurements[2]])
    try await cloud.performFullSync()
    #expect(try await cloud.checkAccountStatus() == .couldNotDetermine)
    #expect(cloud.syncStatus == .idle && cloud.lastSyncDate == nil)
  }

  @Test func testCloud_OfNeitherVersion_ThrowsInPlaceOfAskingItselfForEver() async throws {
    let cloud: any CloudKitServiceProtocol = Nothing()
    await #expect(throws: StressError.self) { try await cloud.sync(measurement: Self.measurement(1)) }
    await #expect(throws: StressError.self) { try await cloud.saveMeasurement(Self.measurement(1)) }
    await #expect(throws: StressError.self) { try await cloud.fetchCloudMeasurements() }
    await #expect(throws: StressError.self) { try await cloud.fetchMeasurements(since: nil) }
    await #expect(throws: StressError.self) { try await cloud.deleteCloudRecords(ids: []) }
    await #expect(throws: StressError.self) { try await cloud.deleteMeasurement(Self.measurement(1)) }
    await #expect(throws: StressError.self) { try await cloud.performFullSync() }
  }

  @Test func testRepository_ThatOnlyKeeps_AnswersAllQuestions() async throws {
    let store = Store()
    for level in [10.0, 20, 30] { try await store.save(Self.measurement(level, minutes: level)) }
    #expect(try await store.fetchAll().map(\.stressLevel) == [30, 20, 10])
    let second = Self.measurement(0, minutes: 20).timestamp
    #expect(try await store.fetchByDateRange(Self.start, second).map(\.stressLevel) == [20, 10])
    #expect(try await store.fetchByDateRange(second, Self.start).isEmpty)
    #expect(try await store.getBaseline().isPersonal == false)
  }

  /// Nothing that is to be deleted stays, and nothing that is to be kept vanishes, without a word.
  @Test func testRepository_ThatOnlyKeeps_ThrowsWhereItCannot() async throws {
    let store = Store()
    try await store.save(Self.measurement(10))
    let only = try #require(try await store.fetchAll().first)
    await #expect(throws: StressError.self) { try await store.delete(only) }
    await #expect(throws: StressError.self) { try await store.deleteAll() }
    await #expect(throws: StressError.self) { try await store.updateBaseline(.default()) }
    #expect(try await store.fetchAll() == [only])
  }

  @Test func testRepository_ThatDeletesOne_DeletesAll() async throws {
    let store = Keeper()
    for level in [10.0, 20] { try await store.save(Self.measurement(level, minutes: level)) }
    try await store.deleteAll()
    #expect(try await store.fetchAll().isEmpty)
  }

  @Test func testSensor_WithoutAHistory_HasItsNewestReading() async throws {
    let reading = HRVMeasurement(value: 40, timestamp: Self.start)
    let sensor = Sensor(newest: reading)
    #expect(try await sensor.fetchHRVHistory(since: Self.start) == [reading])
    #expect(try await sensor.fetchHRVHistory(since: Self.start.addingTimeInterval(1)).isEmpty)
    #expect(try await Sensor(newest: nil).fetchHRVHistory(since: .distantPast).isEmpty)
    var count = 0
    for await _ in sensor.observeHeartRateUpdates() { count += 1 }
    #expect(count == 0)
  }

  /// 50 ms and 60 bpm are usual of whoever has no baseline yet.
  @Test func testAlgorithm_WithoutABaseline_TakesTheStandardOne() async throws {
    #expect(try await Algorithm().calculateStress(hrv: 50, heartRate: 60).level == 0)
    let level = try await Algorithm().calculateStress(hrv: 25, heartRate: 60).level
    #expect(abs(level - 40.20444) < 5e-6)
  }

  @Test(arguments: [
    CloudKitError.networkUnavailable(.noInternet), .networkUnavailable(.iCloudNotSignedIn),
    .networkUnavailable(.quotaExceeded), .rateLimited, .quotaExceeded, .recordNotFound,
  ])
  func testCloudError_SaysWhatToDo(error: CloudKitError) {
    // What is wrong, a colon, and what to do about it.
    let parts = error.description.split(separator: ": ")
    #expect(parts.count == 2 && parts.allSatisfy { $0.count > 10 })
  }
}
