/// The place of an event stream among those of its network. It is released when this object is deinitialised.
package final class EventStreamPlace: Sendable {
  private let network: ClientNetwork
  private let owner: Connections

  init(network: ClientNetwork, owner: Connections) {
    self.network = network
    self.owner = owner
  }

  deinit {
    owner.endStream(network)
  }
}
