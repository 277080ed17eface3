/// Where the link to a strap stands.
package enum LinkPhase: String, Hashable, Sendable, CaseIterable {
  /// Nobody asked for it.
  case idle
  /// The strap is looked for.
  case scanning
  /// The strap was heard, and a connection is being made.
  case connecting
  /// Connected; what the strap offers is being discovered.
  case resolving
  /// Its notifications are being switched on.
  case subscribing
  /// Notifications arrive.
  case live
  /// Connected, and nothing arrives: what is shown is stale.
  case silent
  /// Waiting before the next attempt.
  case backingOff
  /// There is no usable adapter.
  case adapterAbsent
  /// There is no bus, or no Bluetooth daemon on it.
  case daemonAbsent

  /// Whether there is a connection.
  package var isConnected: Bool {
    switch self {
    case .resolving, .subscribing, .live, .silent: true
    case .idle, .scanning, .connecting, .backingOff, .adapterAbsent, .daemonAbsent: false
    }
  }
}
