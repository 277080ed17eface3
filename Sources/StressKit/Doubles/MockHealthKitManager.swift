import FoundationEssentials
import Synchronization

/// A sensor side with given readings: for tests, previews and examples.
public final class MockHealthKitManager: HealthKitServiceProtocol {
  private struct State {
    var hrv: HRVMeasurement?
    var history: [HRVMeasurement] = []
    var heartRates: [HeartRateSample] = []
    var error: (any Error)?
  }

  private let state = Mutex(State())

  /// Without readings.
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

  /// What every question throws; `nil` for an answer.
  public var mockError: (any Error)? {
    get { state.withLock { $0.error } }
    set { state.withLock { $0.error = newValue } }
  }

  /// Throws the given error, if any.
  public func requestAuthorization() async throws { try check() }

  /// The newest HRV reading.
  public func fetchLatestHRV() async throws -> HRVMeasurement? {
    try check()
    return mockHRV
  }

  /// The first of the heart rates.
  public func fetchHeartRate(samples: Int) async throws -> [HeartRateSample] {
    try check()
    return Array(mockHeartRates.prefix(max(0, samples)))
  }

  /// The readings of the past from `date` on, the newest first.
  public func fetchHRVHistory(since date: Date) async throws -> [HRVMeasurement] {
    try check()
    return mockHistory.filter { $0.timestamp >= date }.sorted { $0.timestamp > $1.timestamp }
  }

  /// The heart rates once, the oldest first.
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
