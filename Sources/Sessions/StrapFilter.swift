import Capture
import TachogramCore

/// Which straps of a capture are asked for.
struct StrapFilter: Sendable {
  /// Their addresses; empty for all straps.
  let addresses: [BluetoothAddress]

  func contains(_ strap: PlannedStrap) -> Bool {
    addresses.isEmpty || addresses.contains { $0.value == strap.identity.address.value }
  }
}
