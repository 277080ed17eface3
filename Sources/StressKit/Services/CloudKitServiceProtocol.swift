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

/// Each half is made of the other, so that either is enough. A service has to have one of them: of one with neither, all members
/// throw.
extension CloudKitServiceProtocol {
  // MARK: - The shorter contract, of the longer

  /// The same as `saveMeasurement`.
  public func sync(measurement: StressMeasurement) async throws {
    try await CloudKitDefault.run { try await saveMeasurement(measurement) }
  }

  /// The same as `fetchMeasurements` without a date.
  public func fetchCloudMeasurements() async throws -> [StressMeasurement] {
    try await CloudKitDefault.run { try await fetchMeasurements(since: nil) }
  }

  /// Looks the measurements up, and deletes one after the other.
  public func deleteCloudRecords(ids: [String]) async throws {
    let wanted = Set(ids.compactMap(UUID.init(uuidString:)))
    try await CloudKitDefault.run {
      for measurement in try await fetchMeasurements(since: nil) where wanted.contains(measurement.id) {
        try await deleteMeasurement(measurement)
      }
    }
  }

  // MARK: - The longer contract, of the shorter

  /// Of a service that says nothing of it: it does nothing but what it is asked to.
  public var syncStatus: SyncStatus { .idle }

  /// Of a service that says nothing of it.
  public var lastSyncDate: Date? { nil }

  /// The same as `sync`.
  public func saveMeasurement(_ measurement: StressMeasurement) async throws {
    try await CloudKitDefault.run { try await sync(measurement: measurement) }
  }

  /// The measurements of all devices, those taken from `date` on.
  public func fetchMeasurements(since date: Date?) async throws -> [StressMeasurement] {
    let all = try await CloudKitDefault.run { try await fetchCloudMeasurements() }
    guard let date else { return all }
    return all.filter { $0.timestamp >= date }
  }

  /// The same as `deleteCloudRecords` with its identifier.
  public func deleteMeasurement(_ measurement: StressMeasurement) async throws {
    try await CloudKitDefault.run { try await deleteCloudRecords(ids: [measurement.id.uuidString]) }
  }

  /// Of a service that exchanges what it is handed: throws where it cannot be reached.
  public func performFullSync() async throws {
    _ = try await CloudKitDefault.run { try await fetchCloudMeasurements() }
  }

  /// Of a service that says nothing of it.
  public func checkAccountStatus() async throws -> CloudKitAccountStatus { .couldNotDetermine }
}

/// Ends what a service with neither half of the contract would ask itself for ever.
private enum CloudKitDefault {
  /// Services may be made of services; not of so many.
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
