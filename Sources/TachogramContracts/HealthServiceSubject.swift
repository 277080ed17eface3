import StressKit
import TachogramCore

/// A health service under test, with a sensor that follows commands. Each verb returns when the service knows.
package struct HealthServiceSubject: Sendable {
  package let service: any HealthKitServiceProtocol
  /// The sensor reads a heart rate, in bpm.
  package let beat: @Sendable (UInt16) async throws -> Void
  /// An HRV reading was made.
  package let read: @Sendable (HRVMeasurement) async throws -> Void
  /// The sensor is silent for long enough that its last reading is stale.
  package let fallSilent: @Sendable () async throws -> Void
  /// The sensor is no more.
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
