import GATT
import TachogramTestKit

/// The measurement streams of a fake strap, controlled from its side.
package struct FakeMeasurements: Sendable {
  private let fake: FakeBlueZ
  private let strap: FakeStrap

  /// The streams of a strap on a fake radio.
  package init(of strap: FakeStrap, on fake: FakeBlueZ) {
    self.fake = fake
    self.strap = strap
  }

  /// Makes the strap notify one frame. Returns whether a client received it: only while its stream runs. Frames keep their
  /// order when one task sends them.
  @discardableResult
  package func notify(_ frame: [UInt8]) async -> Bool {
    await fake.notify(strap, frame, characteristic: .measurementData)
  }

  /// Makes the strap end streams and indicate it. Streams that do not run are left out.
  package func end(_ measurements: PolarMeasurementType...) async {
    let address = strap.address
    let notice = await fake.mutate { $0.air[address]?.measurements?.end(measurements) }
    if let notice { await fake.notify(strap, notice, characteristic: .measurementControlPoint) }
  }

  /// Makes the strap refuse starts for a reason, or accept them again.
  package func refuseStarts(_ status: PolarControlPointStatus?) async {
    let address = strap.address
    await fake.mutate { $0.air[address]?.measurements?.refusal = status }
  }

  /// Waits until exactly these streams run.
  package func running(_ measurements: PolarMeasurementType...) async {
    let wanted = Set(measurements)
    _ = await fake.waitUntil { [strap] in $0.runningMeasurements(of: strap) == wanted }
  }
}
