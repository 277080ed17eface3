import FoundationEssentials

/// Synchronises measurements with other devices, by either of the apps' contracts: the members that only one of them has are
/// made of those of the other.
public protocol CloudKitServiceProtocol: Sendable {
  /// What it does at the moment.
  var syncStatus: SyncStatus { get }
  /// When all was exchanged last; `nil` where that never was.
  var lastSyncDate: Date? { get }

  /// Hands a measurement to the other devices.
  func saveMeasurement(_ measurement: StressMeasurement) async throws
  /// The measurements of all devices that changed since `date`, or all.
  func fetchMeasurements(since date: Date?) async throws -> [StressMeasurement]
  /// Deletes a measurement on all devices.
  func deleteMeasurement(_ measurement: StressMeasurement) async throws
  /// Exchanges everything that is not the same everywhere.
  func performFullSync() async throws
  /// Whether there is something to synchronise with.
  func checkAccountStatus() async throws -> CloudKitAccountStatus

  /// Hands a measurement to the other devices.
  func sync(measurement: StressMeasurement) async throws
  /// The measurements of all devices.
  func fetchCloudMeasurements() async throws -> [StressMeasurement]
  /// Deletes measurements on all devices by their identifiers; others are passed over.
  func deleteCloudRecords(ids: [String]) async throws
}

extension CloudKitServiceProtocol {
  /// The same as `saveMeasurement`.
  public func sync(measurement: StressMeasurement) async throws { try await saveMeasurement(measurement) }

  /// The same as `fetchMeasurements` without a date.
  public func fetchCloudMeasurements() async throws -> [StressMeasurement] { try await fetchMeasurements(since: nil) }

  /// Looks the measurements up, and deletes one after the other.
  public func deleteCloudRecords(ids: [String]) async throws {
    let wanted = Set(ids.compactMap(UUID.init(uuidString:)))
    for measurement in try await fetchMeasurements(since: nil) where wanted.contains(measurement.id) {
      try await deleteMeasurement(measurement)
    }
  }
}
