/// The phase of the link to a strap.
package enum LinkPhase: String, Hashable, Sendable, CaseIterable {
  /// No link is requested.
  case idle
  /// Scanning for the strap.
  case scanning
  /// The strap is in range, and a connection is being established.
  case connecting
  /// Connected; the services of the strap are being discovered.
  case resolving
  /// Notifications are being enabled.
  case subscribing
  /// Notifications arrive.
  case live
  /// Connected, but no notifications arrive: displayed values are stale.
  case silent
  /// Waiting before the next attempt.
  case backingOff
  /// There is no usable adapter.
  case adapterAbsent
  /// There is no system bus, or no Bluetooth daemon on it.
  case daemonAbsent

  /// Whether there is a connection.
  package var isConnected: Bool {
    switch self {
    case .resolving, .subscribing, .live, .silent: true
    case .idle, .scanning, .connecting, .backingOff, .adapterAbsent, .daemonAbsent: false
    }
  }
}
