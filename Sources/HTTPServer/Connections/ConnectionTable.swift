/// The open connections, and the choice of those to close when there are too many. Connections without a request being answered
/// are closed first, the oldest before others, so that a client that sends its request at once is answered regardless of the
/// connections that others hold open. Within a network, the cost does not grow with the number of connections.
struct ConnectionTable {
  /// The party for which a connection waits.
  enum State: Hashable {
    /// Waits for the client: for the handshake, a request or the rest of one.
    case reading
    /// Waits for the station.
    case answering
    /// Waits for the client, which does not receive the answer.
    case stalled
  }

  enum Admission: Hashable {
    case admitted(Int)
    /// The connection replaces another one, which has to be closed.
    case replaces(Int, closed: Int)
    case refused
  }

  private struct Entry {
    let network: ClientNetwork
    var state: State
    /// The number of the change to the current state.
    var since: Int
  }

  private struct Group {
    var count = 0
    var reading = ConnectionQueue()
    var stalled = ConnectionQueue()
  }

  let limits: ConnectionLimits
  private var entries: [Int: Entry] = [:]
  private var groups: [ClientNetwork: Group] = [:]
  /// The number of connections and state changes so far. The smallest number is the oldest change.
  private var changes = 0

  init(limits: ConnectionLimits) {
    self.limits = limits
  }

  /// The number of open connections.
  var count: Int { entries.count }

  /// Returns the number of open connections of a network.
  func count(of network: ClientNetwork) -> Int { groups[network]?.count ?? 0 }

  /// Adds a connection. A connection that it replaces is removed from the table.
  mutating func admit(_ network: ClientNetwork) -> Admission {
    var closed: Int?
    if count(of: network) >= limits.connections(of: network) {
      closed = victim(in: network)
      if closed == nil { return .refused }
    } else if entries.count >= limits.total {
      closed = victim()
      if closed == nil { return .refused }
    }
    if let closed { remove(closed) }
    changes += 1
    let number = changes
    entries[number] = Entry(network: network, state: .answering, since: number)
    groups[network, default: Group()].count += 1
    change(number, to: .reading)
    return closed.map { .replaces(number, closed: $0) } ?? .admitted(number)
  }

  mutating func change(_ number: Int, to state: State) {
    guard let entry = entries[number], entry.state != state else { return }
    changes += 1
    entries[number]?.state = state
    entries[number]?.since = changes
    let item = ConnectionQueue.Item(number: number, since: changes)
    let count = count(of: entry.network)
    let entries = entries
    switch state {
    case .reading:
      groups[entry.network]?.reading.append(item, count: count) { entries[$0.number]?.since == $0.since }
    case .stalled:
      groups[entry.network]?.stalled.append(item, count: count) { entries[$0.number]?.since == $0.since }
    case .answering: break
    }
  }

  mutating func remove(_ number: Int) {
    guard let entry = entries.removeValue(forKey: number) else { return }
    groups[entry.network]?.count -= 1
    if groups[entry.network]?.count == 0 { groups[entry.network] = nil }
  }

  // MARK: - Choosing the connection to close

  /// Returns the connection of a network to close: the oldest one that waits for its client.
  private mutating func victim(in network: ClientNetwork) -> Int? {
    guard var group = groups[network] else { return nil }
    let entries = entries
    let isWaiting = { (item: ConnectionQueue.Item) in entries[item.number]?.since == item.since }
    let found = group.reading.first(isWaiting: isWaiting) ?? group.stalled.first(isWaiting: isWaiting)
    groups[network] = group
    return found?.number
  }

  /// Returns the connection to close, from the network with the most connections for which there is one.
  private mutating func victim() -> Int? {
    let largest = groups.max { $0.value.count < $1.value.count }?.key
    if let found = largest.flatMap({ victim(in: $0) }) { return found }
    for (network, _) in groups.sorted(by: { $0.value.count > $1.value.count }) {
      if let found = victim(in: network) { return found }
    }
    return nil
  }
}
