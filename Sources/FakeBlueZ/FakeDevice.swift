import DBus
import TachogramCore

/// What the daemon knows of one device on one adapter.
package struct FakeDevice: Sendable {
  /// Where its link is.
  package enum Phase: Hashable, Sendable {
    case idle
    /// A `Connect` or `Pair` is under way.
    case connecting
    case connected
  }

  package let path: DBusObjectPath
  package let adapter: Int
  package internal(set) var address: BluetoothAddress
  package var phase: Phase = .idle
  /// Counts the attempts and the links, so that what belongs to an earlier one is recognised.
  package var generation = 0
  package var isResolved = false
  package var isBonded = false
  package var isPairing = false
  /// Only discovered: vanishes when nothing has been heard of it for some time.
  package var isTemporary = true
  /// When something was last heard of it, on the clock of the fake world.
  package internal(set) var lastHeard: Duration = .zero
  /// Paired, which is reported with its services only.
  var owesPaired = false
  /// Subscriptions by path of the characteristic; filled once services are resolved, and kept over links as
  /// bluetoothd does.
  package var characteristics: [DBusObjectPath: FakeSubscription] = [:]

  package var isConnected: Bool { phase == .connected }
}
