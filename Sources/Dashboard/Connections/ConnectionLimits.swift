/// How many connections there may be at a time. Whoever has all that are allowed to one network leaves room for others.
package struct ConnectionLimits: Hashable, Sendable {
  /// Of everybody.
  package let total: Int
  /// Of this machine, which may have a proxy in front of the station or a thousand pages in a trial.
  package let loopback: Int
  /// Of any other network: a household behind one address.
  package let network: Int

  /// A connection with TLS may need ten times the memory of one without.
  package init(isSecure: Bool) {
    self.init(total: isSecure ? 512 : 2048, network: 64)
  }

  package init(total: Int, network: Int) {
    self.total = total
    self.network = min(network, total)
    loopback = max(total * 5 / 8, self.network)
  }

  /// The connections of a network.
  func connections(of network: ClientNetwork) -> Int {
    network.isLoopback ? loopback : self.network
  }

  /// The streams of events of a network: fewer, so that others of its requests are answered still.
  func streams(of network: ClientNetwork) -> Int {
    network.isLoopback ? loopback * 4 / 5 : self.network * 3 / 4
  }
}
