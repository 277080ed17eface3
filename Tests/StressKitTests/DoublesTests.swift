import FoundationEssentials
import StressKit
import TachogramContracts
import Testing

@Suite("Doubles of the services")
struct DoublesTests {
  private struct Refusal: Error, Equatable {}

  private static let start = Date(timeIntervalSince1970: 1_760_000_000)

  private static func reading(_ value: Double, minutes: Double) -> HRVMeasurement {
    HRVMeasurement(value: value, timestamp: start.addingTimeInterval(60 * minutes))
  }

  @Test func testMemory_KeepsTheContractOfARepository() async throws {
    try await StressRepositoryContract { InMemoryStressRepository() }.check()
  }

  @Test func testMemory_BeginsWithWhatItIsGiven() async {
    let measurements = [40.0, 60, 20].enumerated().map { index, level in
      StressMeasurement(
        timestamp: Self.start.addingTimeInterval(Double(index)), stressLevel: level, hrv: 50, restingHeartRate: 60)
    }
    let repository = InMemoryStressRepository(measurements)
    await #expect(repository.fetchAll().map(\.stressLevel) == [20, 60, 40])
    await #expect(repository.fetchRecent(limit: -1).isEmpty)
  }

  @Test func testSensor_SaysWhatItWasToldTo() async throws {
    let sensor = MockHealthKitManager()
    #expect(try await sensor.fetchLatestHRV() == nil)
    sensor.mockHRV = Self.reading(42, minutes: 0)
    sensor.mockHistory = [
      Self.reading(30, minutes: -60), Self.reading(35, minutes: -5), Self.reading(33, minutes: -10),
    ]
    sensor.mockHeartRates = [70, 65, 60].map { HeartRateSample(value: $0, timestamp: Self.start) }
    try await sensor.requestAuthorization()
    #expect(try await sensor.fetchLatestHRV()?.value == 42)
    #expect(try await sensor.fetchHeartRate(samples: 2).map(\.value) == [70, 65])
    #expect(try await sensor.fetchHeartRate(samples: -2).isEmpty)
    let since = Self.start.addingTimeInterval(-600)
    #expect(try await sensor.fetchHRVHistory(since: since).map(\.value) == [35, 33])
    var seen: [Double?] = []
    for await sample in sensor.observeHeartRateUpdates() { seen.append(sample?.value) }
    #expect(seen == [60, 65, 70])
  }

  @Test func testSensor_ThrowsWhatItWasToldTo() async {
    let sensor = MockHealthKitManager()
    sensor.mockError = Refusal()
    await #expect(throws: Refusal()) { try await sensor.requestAuthorization() }
    await #expect(throws: Refusal()) { try await sensor.fetchLatestHRV() }
    await #expect(throws: Refusal()) { try await sensor.fetchHeartRate(samples: 1) }
    await #expect(throws: Refusal()) { try await sensor.fetchHRVHistory(since: Self.start) }
    sensor.mockError = nil
    await #expect(throws: Never.self) { try await sensor.requestAuthorization() }
  }
}
