import Capture
import TachogramCore

/// The requested straps of a capture.
struct StrapFilter: Sendable {
  /// The addresses of the straps; empty for all straps.
  let addresses: [BluetoothAddress]

  func contains(_ strap: PlannedStrap) -> Bool {
    addresses.isEmpty || addresses.contains { $0.value == strap.identity.address.value }
  }
}
