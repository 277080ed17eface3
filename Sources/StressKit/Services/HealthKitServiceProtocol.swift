import FoundationEssentials

/// The sensor interface of the StressMonitor apps. On Linux it is implemented by a radio in place of HealthKit.
public protocol HealthKitServiceProtocol: Sendable {
  /// Ensures that readings are available; throws the reason if they are not.
  func requestAuthorization() async throws

  /// Returns the newest HRV reading; `nil` if there is no reading yet.
  func fetchLatestHRV() async throws -> HRVMeasurement?

  /// Returns the newest heart-rate readings, at most `samples`, the newest first.
  func fetchHeartRate(samples: Int) async throws -> [HeartRateSample]

  /// The HRV readings from `date` on, the newest first.
  func fetchHRVHistory(since date: Date) async throws -> [HRVMeasurement]

  /// Returns a stream of heart-rate readings. The stream ends when the source ends; `nil` stands for a reading that has become
  /// stale.
  func observeHeartRateUpdates() -> AsyncStream<HeartRateSample?>
}

extension HealthKitServiceProtocol {
  /// Default for services without a history: returns the newest reading, if it is not older than `date`.
  public func fetchHRVHistory(since date: Date) async throws -> [HRVMeasurement] {
    guard let newest = try await fetchLatestHRV(), newest.timestamp >= date else { return [] }
    return [newest]
  }

  /// Default for services that do not publish readings: returns an empty stream.
  public func observeHeartRateUpdates() -> AsyncStream<HeartRateSample?> {
    AsyncStream { $0.finish() }
  }
}
