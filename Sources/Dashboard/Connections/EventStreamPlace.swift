/// The place of a stream of events among those of its network; it is free again when nothing refers to this any more.
final class EventStreamPlace: Sendable {
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
