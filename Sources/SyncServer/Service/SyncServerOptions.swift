import TLS

/// The address of a sync server, and its limits.
package struct SyncServerOptions: Sendable {
  /// An address of this machine, or a name of one.
  package var host = "127.0.0.1"
  /// The port; 0 for any free port.
  package var port = 8643
  /// The identity for TLS, or `nil` for connections without TLS.
  package var identity: CurrentIdentity?
  /// The number of requests a second that a token may send for long. Ten times as many may be sent at once.
  package var rate = 100.0

  package init() {}

  /// Whether the address is one of loopback, where connections need no TLS.
  package var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}
