import FoundationEssentials

/// Synchronises measurements with other devices, by either of the apps' contracts: the members that only one contract has are
/// implemented with those of the other.
public protocol CloudKitServiceProtocol: Sendable {
  /// The current state of synchronisation.
  var syncStatus: SyncStatus { get }
  /// The time of the last complete exchange; `nil` if there was none.
  var lastSyncDate: Date? { get }

  /// Uploads a measurement to the other devices.
  func saveMeasurement(_ measurement: StressMeasurement) async throws
  /// Returns the measurements of all devices that changed since `date`, or all measurements.
  func fetchMeasurements(since date: Date?) async throws -> [StressMeasurement]
  /// Deletes a measurement on all devices.
  func deleteMeasurement(_ measurement: StressMeasurement) async throws
  /// Exchanges all measurements that differ between devices.
  func performFullSync() async throws
  /// Returns whether there is an account to synchronise with.
  func checkAccountStatus() async throws -> CloudKitAccountStatus

  /// Uploads a measurement to the other devices.
  func sync(measurement: StressMeasurement) async throws
  /// Returns the measurements of all devices.
  func fetchCloudMeasurements() async throws -> [StressMeasurement]
  /// Deletes measurements on all devices by their identifiers; unknown identifiers are ignored.
  func deleteCloudRecords(ids: [String]) async throws
}

/// Default implementations. Each contract is implemented with the other, so that a service implements only one of them. If it
/// implements neither, all members throw.
extension CloudKitServiceProtocol {
  // MARK: - The shorter contract, of the longer

  /// Calls `saveMeasurement`.
  public func sync(measurement: StressMeasurement) async throws {
    try await CloudKitDefault.run { try await saveMeasurement(measurement) }
  }

  /// Calls `fetchMeasurements` without a date.
  public func fetchCloudMeasurements() async throws -> [StressMeasurement] {
    try await CloudKitDefault.run { try await fetchMeasurements(since: nil) }
  }

  /// Fetches all measurements, and deletes the selected ones one by one.
  public func deleteCloudRecords(ids: [String]) async throws {
    let wanted = Set(ids.compactMap(UUID.init(uuidString:)))
    try await CloudKitDefault.run {
      for measurement in try await fetchMeasurements(since: nil) where wanted.contains(measurement.id) {
        try await deleteMeasurement(measurement)
      }
    }
  }

  // MARK: - The longer contract, of the shorter

  /// Default for services without a status: `idle`.
  public var syncStatus: SyncStatus { .idle }

  /// Default for services without this information.
  public var lastSyncDate: Date? { nil }

  /// Calls `sync`.
  public func saveMeasurement(_ measurement: StressMeasurement) async throws {
    try await CloudKitDefault.run { try await sync(measurement: measurement) }
  }

  /// Returns the measurements of all devices with a timestamp from `date` on.
  public func fetchMeasurements(since date: Date?) async throws -> [StressMeasurement] {
    let all = try await CloudKitDefault.run { try await fetchCloudMeasurements() }
    guard let date else { return all }
    return all.filter { $0.timestamp >= date }
  }

  /// Calls `deleteCloudRecords` with the identifier of the measurement.
  public func deleteMeasurement(_ measurement: StressMeasurement) async throws {
    try await CloudKitDefault.run { try await deleteCloudRecords(ids: [measurement.id.uuidString]) }
  }

  /// Default for services that upload each measurement immediately: fetches the measurements, and throws if that fails.
  public func performFullSync() async throws {
    _ = try await CloudKitDefault.run { try await fetchCloudMeasurements() }
  }

  /// Default for services without this information.
  public func checkAccountStatus() async throws -> CloudKitAccountStatus { .couldNotDetermine }
}

/// Stops the infinite recursion of a service that implements neither contract.
private enum CloudKitDefault {
  /// The limit of nested calls; a service may wrap other services, but fewer than these.
  private static let mostDefaults = 64

  @TaskLocal private static var depth = 0

  static func run<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    guard depth < mostDefaults else {
      throw StressError.cloudKitSyncFailed(
        "this service has neither sync(measurement:) and its like nor saveMeasurement(_:) and its like: write one of them"
      )
    }
    return try await $depth.withValue(depth + 1, operation: body)
  }
}
