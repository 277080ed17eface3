import FoundationEssentials
import Synchronization

/// A sensor service with fixed readings, for tests, previews and examples.
public final class MockHealthKitManager: HealthKitServiceProtocol {
  private struct State {
    var hrv: HRVMeasurement?
    var history: [HRVMeasurement] = []
    var heartRates: [HeartRateSample] = []
    var error: (any Error)?
  }

  private let state = Mutex(State())

  /// Creates a service without readings.
  public init() {}

  /// The newest HRV reading.
  public var mockHRV: HRVMeasurement? {
    get { state.withLock { $0.hrv } }
    set { state.withLock { $0.hrv = newValue } }
  }

  /// The HRV readings of the past, in any order.
  public var mockHistory: [HRVMeasurement] {
    get { state.withLock { $0.history } }
    set { state.withLock { $0.history = newValue } }
  }

  /// The heart rates, the newest first.
  public var mockHeartRates: [HeartRateSample] {
    get { state.withLock { $0.heartRates } }
    set { state.withLock { $0.heartRates = newValue } }
  }

  /// The error that every method throws; `nil` if they succeed.
  public var mockError: (any Error)? {
    get { state.withLock { $0.error } }
    set { state.withLock { $0.error = newValue } }
  }

  /// Throws `mockError`, if set.
  public func requestAuthorization() async throws { try check() }

  /// The newest HRV reading.
  public func fetchLatestHRV() async throws -> HRVMeasurement? {
    try check()
    return mockHRV
  }

  /// Returns the first `samples` heart rates.
  public func fetchHeartRate(samples: Int) async throws -> [HeartRateSample] {
    try check()
    return Array(mockHeartRates.prefix(max(0, samples)))
  }

  /// Returns the past readings from `date` on, the newest first.
  public func fetchHRVHistory(since date: Date) async throws -> [HRVMeasurement] {
    try check()
    return mockHistory.filter { $0.timestamp >= date }.sorted { $0.timestamp > $1.timestamp }
  }

  /// Returns a stream of the heart rates, the oldest first, which then finishes.
  public func observeHeartRateUpdates() -> AsyncStream<HeartRateSample?> {
    let samples = mockHeartRates.reversed()
    return AsyncStream { continuation in
      for sample in samples { continuation.yield(sample) }
      continuation.finish()
    }
  }

  private func check() throws {
    if let error = mockError { throw error }
  }
}
