import BluetoothKernel
import FoundationEssentials
import GATT
import StressKit
import TachogramCore

/// The sensor side of the StressMonitor apps with a radio behind it: heart rate straight from the straps, HRV from whoever computes
/// it of the same straps.
///
/// `run()` listens; until then there is nothing to fetch. The order of readings is that in which they came: civil time may step.
package final class BlueZHealthService: HealthKitServiceProtocol {
  private struct State {
    var heartRates: RecentReadings<HeartRateSample>
    var variabilities: RecentReadings<HRVMeasurement>
    var observers: [Int: AsyncStream<HeartRateSample?>.Continuation] = [:]
    var nextObserver = 0
    /// When the newest heart rate goes stale; `nil` when it is, or there is none.
    var staleAt: MonotonicTime?
    var hasEnded = false
  }

  /// How long a heart rate counts.
  private static let freshness: Duration = .seconds(5)

  private let source: any RadioSourceProtocol
  private let availability: @Sendable () async -> BluetoothAvailability
  private let time: any TimeSourceProtocol
  private let state: Guarded<State>

  /// - Parameters:
  ///   - source: Where straps are heard; nobody else listens to it.
  ///   - time: Decides when a reading is stale.
  ///   - kept: How many readings of each kind are kept; an hour of a strap that notifies once a second.
  ///   - availability: Looks whether Bluetooth can be used.
  package init(
    source: any RadioSourceProtocol, time: any TimeSourceProtocol, kept: Int = 3600,
    availability: @escaping @Sendable () async -> BluetoothAvailability,
  ) {
    self.source = source
    self.availability = availability
    self.time = time
    state = Guarded(State(heartRates: RecentReadings(limit: kept), variabilities: RecentReadings(limit: kept)))
  }

  /// Listens until the source ends or the task is cancelled; then the source is stopped and every stream of updates has ended.
  package func run() async {
    await withTaskGroup(of: Void.self) { group in
      // Woken by each reading that follows none or a stale one.
      let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      group.addTask { for await _ in wakes { await self.watch() } }
      for await event in source.events() {
        if case .notification(let value) = event.content, record(value, at: event.wall) { wake.yield() }
      }
      group.cancelAll()
    }
    await source.stop()
    let observers = state.withLock { state in
      defer { state.observers = [:] }
      state.hasEnded = true
      return Array(state.observers.values)
    }
    // Outside: a stream that ends takes its observer away.
    for observer in observers { observer.finish() }
  }

  /// Takes an HRV reading, such as the SDNN of the last five minutes.
  package func record(_ reading: HRVMeasurement) {
    state.withLock { $0.variabilities.append(reading) }
  }

  // MARK: - HealthKitServiceProtocol

  /// Throws `BluetoothUnavailableError`.
  package func requestAuthorization() async throws {
    let availability = await availability()
    if availability != .ready { throw BluetoothUnavailableError(availability: availability) }
  }

  package func fetchLatestHRV() async throws -> HRVMeasurement? {
    state.withLock { $0.variabilities.newest(1).first }
  }

  package func fetchHeartRate(samples: Int) async throws -> [HeartRateSample] {
    state.withLock { $0.heartRates.newest(samples) }
  }

  package func fetchHRVHistory(since date: Date) async throws -> [HRVMeasurement] {
    state.withLock { $0.variabilities.newest() }.filter { $0.timestamp >= date }
  }

  package func observeHeartRateUpdates() -> AsyncStream<HeartRateSample?> {
    let (stream, continuation) = AsyncStream.makeStream(of: HeartRateSample?.self)
    let number: Int? = state.withLock { state in
      guard !state.hasEnded else { return nil }
      state.nextObserver += 1
      state.observers[state.nextObserver] = continuation
      return state.nextObserver
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.observers.removeValue(forKey: number) }
    }
    return stream
  }

  // MARK: - Readings

  /// Takes a notification; whether somebody has to watch it going stale. A rate of 0 means that the strap feels no heart.
  private func record(_ value: [UInt8], at wall: WallTime) -> Bool {
    guard let measurement = try? HeartRateMeasurementCodec.decode(value[...]), measurement.heartRate > 0 else {
      return false
    }
    let sample = HeartRateSample(
      value: Double(measurement.heartRate), timestamp: wall.date)
    let staleAt = time.now().monotonic.advanced(by: Self.freshness)
    return state.withLock { state in
      defer { state.staleAt = staleAt }
      state.heartRates.append(sample)
      // Within: no observer may hear of a later reading first.
      for observer in state.observers.values { observer.yield(sample) }
      return state.staleAt == nil
    }
  }

  /// Waits until the newest heart rate is stale, and notifies the observers.
  private func watch() async {
    while let due = state.withLock({ $0.staleAt }) {
      do { try await time.sleep(until: due) } catch { return }
      let now = time.now().monotonic
      state.withLock { state in
        guard let due = state.staleAt, due <= now else { return }
        state.staleAt = nil
        for observer in state.observers.values { observer.yield(nil) }
      }
    }
  }
}
