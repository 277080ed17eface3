import DBus
import TachogramCore

/// The state of one device on one adapter in the daemon.
package struct FakeDevice: Sendable {
  /// The state of the link.
  package enum Phase: Hashable, Sendable {
    case idle
    /// A `Connect` or `Pair` is in progress.
    case connecting
    case connected
  }

  package let path: DBusObjectPath
  package let adapter: Int
  package internal(set) var address: BluetoothAddress
  package var phase: Phase = .idle
  /// The number of attempts and links, for recognising work that belongs to an earlier one.
  package var generation = 0
  package var isResolved = false
  package var isBonded = false
  package var isPairing = false
  /// Whether the device was only discovered. It is removed when it has not advertised for some time.
  package var isTemporary = true
  /// The time of the last received advertisement, on the clock of the fake world.
  package internal(set) var lastHeard: Duration = .zero
  /// Whether `Paired` is still to be signalled, with the services.
  var owesPaired = false
  /// The subscriptions by path of the characteristic. They are added once services are resolved and kept across links, as
  /// bluetoothd does.
  package var characteristics: [DBusObjectPath: FakeSubscription] = [:]

  package var isConnected: Bool { phase == .connected }
}
