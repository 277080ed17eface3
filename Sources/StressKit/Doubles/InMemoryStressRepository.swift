import FoundationEssentials

/// A repository that stores measurements in memory, for tests, previews and examples.
///
/// All members are `async`: if one were synchronous, an awaited call would resolve to the `async` default of the protocol.
public actor InMemoryStressRepository: StressRepositoryProtocol {
  private var measurements: [UUID: StressMeasurement] = [:]
  private var baseline = PersonalBaseline.default()

  /// Creates a repository with the given measurements.
  public init(_ measurements: [StressMeasurement] = []) {
    self.measurements = Dictionary(measurements.map { ($0.id, $0) }) { $1 }
  }

  /// Inserts the measurement, or replaces the one with the same identifier.
  public func save(_ measurement: StressMeasurement) async { measurements[measurement.id] = measurement }

  /// Returns the newest measurements, the newest first.
  public func fetchRecent(limit: Int) async -> [StressMeasurement] { Array(newestFirst.prefix(max(0, limit))) }

  /// Returns all measurements, the newest first.
  public func fetchAll() async -> [StressMeasurement] { newestFirst }

  private var newestFirst: [StressMeasurement] {
    measurements.values.filter { !$0.isDeleted }.sorted {
      ($0.timestamp, $0.id.uuidString) > ($1.timestamp, $1.id.uuidString)
    }
  }

  /// Returns the measurements with `start` ≤ timestamp ≤ `end`, the newest first.
  public func fetchByDateRange(_ start: Date, _ end: Date) async -> [StressMeasurement] {
    newestFirst.filter { $0.timestamp >= start && $0.timestamp <= end }
  }

  /// Marks the measurement as deleted.
  public func delete(_ measurement: StressMeasurement) async { measurements[measurement.id]?.isDeleted = true }

  /// Marks all measurements as deleted.
  public func deleteAll() async {
    for id in measurements.keys { measurements[id]?.isDeleted = true }
  }

  /// Returns the last stored baseline, or the default.
  public func getBaseline() async -> PersonalBaseline { baseline }

  /// Stores the baseline.
  public func updateBaseline(_ baseline: PersonalBaseline) async { self.baseline = baseline }
}
