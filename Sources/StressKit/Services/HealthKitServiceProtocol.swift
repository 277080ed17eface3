import FoundationEssentials

/// The sensor side as the StressMonitor apps know it. On Linux a radio stands behind it in place of HealthKit.
public protocol HealthKitServiceProtocol: Sendable {
  /// Makes sure that readings can be had; throws what stands in the way.
  func requestAuthorization() async throws

  /// The newest HRV reading; `nil` while there is none.
  func fetchLatestHRV() async throws -> HRVMeasurement?

  /// The newest heart-rate readings, `samples` at most, the newest first.
  func fetchHeartRate(samples: Int) async throws -> [HeartRateSample]

  /// The HRV readings from `date` on, the newest first.
  func fetchHRVHistory(since date: Date) async throws -> [HRVMeasurement]

  /// Heart-rate readings as they come. The stream ends when the source does; `nil` stands for a reading that has gone
  /// stale.
  func observeHeartRateUpdates() -> AsyncStream<HeartRateSample?>
}

extension HealthKitServiceProtocol {
  /// Of a service that keeps no history: the newest reading, where it is not older.
  public func fetchHRVHistory(since date: Date) async throws -> [HRVMeasurement] {
    guard let newest = try await fetchLatestHRV(), newest.timestamp >= date else { return [] }
    return [newest]
  }

  /// None, for a service that does not publish readings as they come.
  public func observeHeartRateUpdates() -> AsyncStream<HeartRateSample?> {
    AsyncStream { $0.finish() }
  }
}
