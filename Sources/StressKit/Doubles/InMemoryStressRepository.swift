import FoundationEssentials

/// Keeps measurements in memory: for tests, previews and examples.
///
/// All its members are `async`: of one that is not, whoever awaits it would get the default of the protocol, which is.
public actor InMemoryStressRepository: StressRepositoryProtocol {
  private var measurements: [UUID: StressMeasurement] = [:]
  private var baseline = PersonalBaseline.default()

  /// With these measurements.
  public init(_ measurements: [StressMeasurement] = []) {
    self.measurements = Dictionary(measurements.map { ($0.id, $0) }) { $1 }
  }

  /// Keeps it, in place of the one with the same identifier.
  public func save(_ measurement: StressMeasurement) async { measurements[measurement.id] = measurement }

  /// The newest, the newest first.
  public func fetchRecent(limit: Int) async -> [StressMeasurement] { Array(newestFirst.prefix(max(0, limit))) }

  /// All, the newest first.
  public func fetchAll() async -> [StressMeasurement] { newestFirst }

  private var newestFirst: [StressMeasurement] {
    measurements.values.filter { !$0.isDeleted }.sorted {
      ($0.timestamp, $0.id.uuidString) > ($1.timestamp, $1.id.uuidString)
    }
  }

  /// Those with `start` ≤ timestamp ≤ `end`, the newest first.
  public func fetchByDateRange(_ start: Date, _ end: Date) async -> [StressMeasurement] {
    newestFirst.filter { $0.timestamp >= start && $0.timestamp <= end }
  }

  /// Leaves a tombstone.
  public func delete(_ measurement: StressMeasurement) async { measurements[measurement.id]?.isDeleted = true }

  /// Leaves a tombstone of each.
  public func deleteAll() async {
    for id in measurements.keys { measurements[id]?.isDeleted = true }
  }

  /// What was kept last.
  public func getBaseline() async -> PersonalBaseline { baseline }

  /// Keeps it.
  public func updateBaseline(_ baseline: PersonalBaseline) async { self.baseline = baseline }
}
