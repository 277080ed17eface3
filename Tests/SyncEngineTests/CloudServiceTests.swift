import FoundationEssentials
import Repository
import StressKit
import Sync
import SyncEngine
import SyncTestKit
import TachogramCore
import Testing

@Suite("The apps' synchronisation, through a space")
struct CloudServiceTests {
  private func service(_ station: TestStation, _ store: any SyncStoreProtocol) -> any CloudKitServiceProtocol {
    let engine = SpaceSync(
      database: station.database, keyFile: station.keyFile, kind: .sdnn, now: { WallTime(Date()) })
    let measurements = StressRepository(database: station.database, person: nil, kind: .sdnn) { Date() }
    return SpaceCloudService(engine: engine, store: store, measurements: measurements)
  }

  private let measurement = StressMeasurement(
    timestamp: Date(timeIntervalSince1970: 1_774_742_400), stressLevel: 40, hrv: 50, restingHeartRate: 60,
    deviceID: "phone")

  @Test(arguments: StoreChoice.allCases)
  func testMeasurement_IsSavedFetchedAndDeleted_OnBothStations_ByBothContracts(choice: StoreChoice) async throws {
    try await choice.run { store in
      let stations = try await TestSpaces.make(["phone", "watch"], in: store)
      let (phone, watch) = (service(stations[0], store), service(stations[1], store))
      #expect(phone.syncStatus == .idle)
      try await phone.saveMeasurement(measurement)
      #expect(phone.syncStatus == .success && phone.lastSyncDate != nil)
      let fetched = try await watch.fetchMeasurements(since: Date(timeIntervalSince1970: 0))
      #expect(fetched.map(\.id) == [measurement.id] && fetched[0].stressLevel == 40 && fetched[0].isSynced)
      #expect(try await watch.fetchMeasurements(since: measurement.timestamp.addingTimeInterval(1)).isEmpty)
      #expect(try await watch.fetchCloudMeasurements().count == 1)
      // The shorter contract, of the longer; unknown identifiers are ignored.
      try await watch.deleteCloudRecords(ids: [UUID().uuidString, measurement.id.uuidString, "nonsense"])
      #expect(try await phone.fetchCloudMeasurements().isEmpty)
      #expect(try await watch.fetchCloudMeasurements().isEmpty)
      try await phone.performFullSync()
      #expect(try await phone.checkAccountStatus() == .available)
    }
  }

  @Test(arguments: StoreChoice.allCases)
  func testFailures_HaveTheReasonsOfTheApps_AndLoseNothing(choice: StoreChoice) async throws {
    try await choice.run { store in
      let alone = try TestStation("alone")
      let nobody = service(alone, store)
      await #expect(throws: CloudKitError.networkUnavailable(.iCloudNotSignedIn)) { try await nobody.performFullSync() }
      #expect(nobody.syncStatus == .failed(.networkUnavailable(.iCloudNotSignedIn)))
      #expect(try await nobody.checkAccountStatus() == .noAccount)
      let stations = try await TestSpaces.make(["phone", "watch"], in: store)
      let unreachable = service(stations[0], FailingStore(store, after: 0, isStored: false))
      await #expect(throws: CloudKitError.networkUnavailable(.noInternet)) {
        try await unreachable.saveMeasurement(measurement)
      }
      #expect(try await unreachable.checkAccountStatus() == .temporarilyUnavailable)
      try await service(stations[0], store).performFullSync()
      #expect(try await service(stations[1], store).fetchCloudMeasurements().map(\.id) == [measurement.id])
      #expect(CloudKitError(.store(.full)) == .quotaExceeded)
      #expect(CloudKitError(.store(.unavailable(retryAfter: .seconds(5)))) == .rateLimited)
      let watch = try stations[1].loaded().id
      try await stations[0].change { try await $0.remove(watch, in: store) }
      await #expect(throws: CloudKitError.self) { try await service(stations[1], store).performFullSync() }
      stations[1].restart()
      #expect(try await service(stations[1], store).checkAccountStatus() == .restricted)
    }
  }
}
