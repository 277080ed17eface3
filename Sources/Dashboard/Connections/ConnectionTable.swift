/// Who is connected, and who has to go when there are too many: connections on which no request is being answered, the
/// oldest first, so that a client that sends its request at once is answered whatever others hold open. What it costs does
/// not grow with the number of connections.
struct ConnectionTable {
  /// What a connection waits for.
  enum State: Hashable {
    /// Its client: for the handshake, a request or the rest of one.
    case reading
    /// The station.
    case answering
    /// Its client, who does not take the answer.
    case stalled
  }

  enum Admission: Hashable {
    case admitted(Int)
    /// In the place of another, which has to be closed.
    case replaces(Int, closed: Int)
    case refused
  }

  private struct Entry {
    let network: ClientNetwork
    var state: State
    /// The change that brought it there.
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
  /// Counts connections and changes of their states, so that the smallest is the oldest.
  private var changes = 0

  init(limits: ConnectionLimits) {
    self.limits = limits
  }

  /// Connections now.
  var count: Int { entries.count }

  /// Connections of a network now.
  func count(of network: ClientNetwork) -> Int { groups[network]?.count ?? 0 }

  /// A new connection. One that is closed for it is in the table no longer.
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

  // MARK: - Who has to go

  /// The connection of a network that is missed least: one that waits for its client.
  private mutating func victim(in network: ClientNetwork) -> Int? {
    guard var group = groups[network] else { return nil }
    let entries = entries
    let isWaiting = { (item: ConnectionQueue.Item) in entries[item.number]?.since == item.since }
    let found = group.reading.first(isWaiting: isWaiting) ?? group.stalled.first(isWaiting: isWaiting)
    groups[network] = group
    return found?.number
  }

  /// The same of the network that has the most.
  private mutating func victim() -> Int? {
    let largest = groups.max { $0.value.count < $1.value.count }?.key
    if let found = largest.flatMap({ victim(in: $0) }) { return found }
    for (network, _) in groups.sorted(by: { $0.value.count > $1.value.count }) {
      if let found = victim(in: network) { return found }
    }
    return nil
  }
}
