import StressKit
import TachogramCore

/// A health service under test, with a controllable sensor. Each closure returns once the service has processed its effect.
package struct HealthServiceSubject: Sendable {
  package let service: any HealthKitServiceProtocol
  /// Makes the sensor measure a heart rate, in bpm.
  package let beat: @Sendable (UInt16) async throws -> Void
  /// Adds an HRV reading.
  package let read: @Sendable (HRVMeasurement) async throws -> Void
  /// Makes the sensor silent for long enough that its last reading becomes stale.
  package let fallSilent: @Sendable () async throws -> Void
  /// Ends the sensor.
  package let end: @Sendable () async throws -> Void

  package init(
    service: any HealthKitServiceProtocol, beat: @escaping @Sendable (UInt16) async throws -> Void,
    read: @escaping @Sendable (HRVMeasurement) async throws -> Void,
    fallSilent: @escaping @Sendable () async throws -> Void, end: @escaping @Sendable () async throws -> Void,
  ) {
    self.service = service
    self.beat = beat
    self.read = read
    self.fallSilent = fallSilent
    self.end = end
  }
}
