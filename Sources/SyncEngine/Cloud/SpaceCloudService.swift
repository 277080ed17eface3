import FoundationEssentials
import Repository
import StressKit
import Sync
import Synchronization
import TachogramCore

/// The synchronisation of the apps, through a space of stations: what the apps keep in CloudKit is here in a store that cannot read
/// it. Measurements are those of one person and HRV metric.
package final class SpaceCloudService: CloudKitServiceProtocol {
  private let engine: SpaceSync
  private let store: any SyncStoreProtocol
  private let measurements: StressRepository
  private let status = Mutex(SyncStatus.idle)

  package init(engine: SpaceSync, store: any SyncStoreProtocol, measurements: StressRepository) {
    (self.engine, self.store, self.measurements) = (engine, store, measurements)
  }

  package var syncStatus: SyncStatus { status.withLock { $0 } }

  package var lastSyncDate: Date? {
    let space = try? SyncRepository(database: engine.database).space()
    return space?.synchronised?.date
  }

  /// Stores a measurement and sends it. It is kept, and sent later, if the store cannot be reached: that is thrown.
  package func saveMeasurement(_ measurement: StressMeasurement) async throws {
    try await measurements.save(measurement)
    try await synchronise()
  }

  /// Returns the measurements of all stations from `date` on, after synchronising.
  package func fetchMeasurements(since date: Date?) async throws -> [StressMeasurement] {
    try await synchronise()
    guard let date else { return try await measurements.fetchAll() }
    return try await measurements.fetchByDateRange(date, .distantFuture)
  }

  package func deleteMeasurement(_ measurement: StressMeasurement) async throws {
    try await measurements.delete(measurement)
    try await synchronise()
  }

  package func performFullSync() async throws { try await synchronise() }

  package func checkAccountStatus() async throws -> CloudKitAccountStatus {
    do {
      return try await engine.use { state in
        guard state.membership.members[state.id] != nil else { return .restricted }
        _ = try await self.store.logs(of: state.space)
        return .available
      }
    } catch {
      switch error {
      case .noSpace: return .noAccount
      case .store: return .temporarilyUnavailable
      case .membership(.notMember): return .restricted
      default: return .couldNotDetermine
      }
    }
  }

  private func synchronise() async throws {
    status.withLock { $0 = .syncing }
    do {
      _ = try await engine.pass(with: store)
      status.withLock { $0 = .success }
    } catch {
      let reason = CloudKitError(error)
      status.withLock { $0 = .failed(reason) }
      throw reason
    }
  }
}
