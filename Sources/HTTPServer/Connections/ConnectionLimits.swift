/// The maximum numbers of simultaneous connections. A network that uses all of its connections leaves room for others.
package struct ConnectionLimits: Hashable, Sendable {
  /// The limit of all networks together.
  package let total: Int
  /// The limit of this machine, which may run a proxy in front of the station, or a test with a thousand pages.
  package let loopback: Int
  /// The limit of any other network, such as a household behind one address.
  package let network: Int

  /// Creates the limits of a station. They are lower with TLS, which may need ten times the memory per connection.
  package init(isSecure: Bool) {
    self.init(total: isSecure ? 512 : 2048, network: 64)
  }

  package init(total: Int, network: Int) {
    self.total = total
    self.network = min(network, total)
    loopback = max(total * 5 / 8, self.network)
  }

  /// Returns the maximum number of connections of a network.
  func connections(of network: ClientNetwork) -> Int {
    network.isLoopback ? loopback : self.network
  }

  /// Returns the maximum number of event streams of a network. It is below the limit of connections, so that other requests of
  /// the network are still answered.
  package func streams(of network: ClientNetwork) -> Int {
    network.isLoopback ? loopback * 4 / 5 : self.network * 3 / 4
  }
}
