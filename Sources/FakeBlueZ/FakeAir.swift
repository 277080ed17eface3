import GATT
import TachogramCore
import TachogramTestKit

/// The state of a strap on the air, which outlives the daemon.
package struct FakeAir: Sendable {
  package var strap: FakeStrap
  /// The measurement service, if the strap has one.
  package internal(set) var measurements: SimulatedMeasurements?
  /// Whether the strap is in range: adapters receive it, and it answers them.
  package var isInRange = true
  /// Whether the strap sends no notifications, though connected.
  package var isSilent = false
  /// Whether the daemon defers resolving services until they are released.
  package var holdsServices = false
  /// Whether the daemon's cache lacks the heart-rate service.
  package var isCachePoisoned = false
  /// Whether links come up without a signal of `Connected`.
  package var connectsUnsaid = false
  /// Whether the strap stores the bond with the daemon.
  package var isBonded = false
  /// The number of values to lose after the next `AcquireNotify`, and the number still to be lost now.
  package var firstLost = 0
  package var stillLost = 0
  /// The number of heart rates broadcast; advertisements carry its lowest three bits.
  package var broadcasts = 0
  /// The number of advertisements that the strap has sent at its interval.
  private var advertisements = 0

  package init(_ strap: FakeStrap) {
    self.strap = strap
    measurements = strap.measurements
  }

  /// The fading of successive advertisements by bodies and walls, in dB: now and then more than what the daemon treats as
  /// noise.
  private static let fading: [Int16] = [0, -2, 3, -9, 1, -4, 4, -1, -6]

  /// Sends an advertisement. Returns the received level in dBm.
  mutating func advertise() -> Int16 {
    defer { advertisements += 1 }
    let level = Int(strap.signal) + Int(Self.fading[advertisements % Self.fading.count])
    return Int16(max(-127, min(20, level)))
  }

  /// The services that the daemon discovers.
  var services: [FakeService] {
    isCachePoisoned ? strap.services.filter { $0.uuid != FakeUUID(GATTUUID.heartRateService) } : strap.services
  }
}
