/// The host names and addresses of the local machine.
package enum Loopback {
  /// Whether a host, without a port, is `localhost` or an address of 127.0.0.0/8.
  package static func isHost(_ host: String) -> Bool {
    host == "localhost" || (host.hasPrefix("127.") && host.allSatisfy { $0 == "." || $0.isNumber })
  }
}
