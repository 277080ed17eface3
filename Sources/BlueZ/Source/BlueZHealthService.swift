import FoundationEssentials
import GATT
import StressKit
import TachogramCore
import Threads

/// The sensor service of the StressMonitor apps, based on a radio source: heart rates are received from the straps, and HRV
/// readings are recorded by the code that computes them.
///
/// `run()` receives the readings; before it runs, there are none to fetch. Readings are in the order of their arrival, because
/// civil time may step.
package final class BlueZHealthService: HealthKitServiceProtocol {
  private struct State {
    var heartRates: RecentReadings<HeartRateSample>
    var variabilities: RecentReadings<HRVMeasurement>
    var observers: [Int: AsyncStream<HeartRateSample?>.Continuation] = [:]
    var nextObserver = 0
    /// The time at which the newest heart rate becomes stale, or `nil` if it is stale or there is none.
    var staleAt: MonotonicTime?
    var hasEnded = false
  }

  /// The time after which a heart rate is stale.
  private static let freshness: Duration = .seconds(5)

  private let source: any RadioSourceProtocol
  private let availability: @Sendable () async -> BluetoothAvailability
  private let time: any TimeSourceProtocol
  private let state: Guarded<State>

  /// - Parameters:
  ///   - source: The source of the events of the straps, not used by any other reader.
  ///   - time: The clock that determines when a reading is stale.
  ///   - kept: The number of readings of each kind to keep. The default is an hour of a strap that notifies once per second.
  ///   - availability: Checks whether Bluetooth can be used.
  package init(
    source: any RadioSourceProtocol, time: any TimeSourceProtocol, kept: Int = 3600,
    availability: @escaping @Sendable () async -> BluetoothAvailability,
  ) {
    self.source = source
    self.availability = availability
    self.time = time
    state = Guarded(State(heartRates: RecentReadings(limit: kept), variabilities: RecentReadings(limit: kept)))
  }

  /// Receives readings until the source ends or the task is cancelled. On return, the source is stopped and all streams of
  /// updates have ended.
  package func run() async {
    await withTaskGroup(of: Void.self) { group in
      // Woken by each heart rate that follows a stale one or is the first.
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
    // Outside of the lock, because the end of a stream removes its observer.
    for observer in observers { observer.finish() }
  }

  /// Records an HRV reading, such as the SDNN of the last five minutes.
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

  /// Records the heart rate of a notification. Returns whether `watch` has to be started for it. A rate of 0 means that the
  /// strap does not detect a heartbeat and is ignored.
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
      // Under the lock, so that observers receive the readings in order.
      for observer in state.observers.values { observer.yield(sample) }
      return state.staleAt == nil
    }
  }

  /// Waits until the newest heart rate is stale, and then sends `nil` to the observers.
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
