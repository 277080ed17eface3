import TachogramCore

/// The clients that discover on one adapter, by unique name, and what comes through to them: their filters become one
/// for the controller, and what that lets through is reported to everybody (BlueZ 5.66, `src/adapter.c`).
package struct FakeDiscoverers: Sendable {
  package private(set) var filters: [String: FakeDiscoveryFilter] = [:]
  /// Filters that were set before a discovery, or kept from one that ended.
  private var kept: [String: FakeDiscoveryFilter] = [:]

  package var isEmpty: Bool { filters.isEmpty }
  package var wantDuplicates: Bool { filters.values.contains(where: \.wantsDuplicates) }
  /// Whether the discovery is a filtered one: that of one client is enough.
  var isFiltered: Bool { filters.values.contains(where: \.isSet) }

  func contains(_ client: String) -> Bool { filters[client] != nil }

  /// Sets the filter of a client, for the discovery that it has or the next one.
  mutating func set(_ filter: FakeDiscoveryFilter, for client: String) {
    if contains(client) { filters[client] = filter } else { kept[client] = filter.isSet ? filter : nil }
  }

  /// Begins the discovery of a client, with the filter that it has set.
  mutating func start(_ client: String) {
    filters[client] = kept.removeValue(forKey: client) ?? FakeDiscoveryFilter()
  }

  /// Ends the discovery of a client; its filter stays for the next one.
  mutating func stop(_ client: String) {
    guard let filter = filters.removeValue(forKey: client) else { return }
    kept[client] = filter.isSet ? filter : nil
  }

  /// A client left the bus; whether it discovered.
  mutating func leave(_ client: String) -> Bool {
    kept[client] = nil
    return filters.removeValue(forKey: client) != nil
  }

  mutating func removeAll() {
    filters.removeAll()
    kept.removeAll()
  }

  // MARK: - What comes through

  /// Whether an advertisement of a strap comes through, at a level in dBm.
  func hear(_ strap: FakeStrap, at signal: Int16) -> Bool {
    let filters = Array(filters.values)
    guard !filters.isEmpty else { return false }
    return isWithin(filters, signal) && offers(filters, strap) && matches(filters, strap)
  }

  /// Those filters that the controller's becomes; `nil` when one client without a filter opens it for everybody.
  private func merged(_ filters: [FakeDiscoveryFilter]) -> [FakeDiscoveryFilter]? {
    filters.allSatisfy(\.isSet) ? filters : nil
  }

  private func isWithin(_ filters: [FakeDiscoveryFilter], _ signal: Int16) -> Bool {
    guard let filters = merged(filters) else { return true }
    guard filters.contains(where: { $0.transport != .bredr }) else { return false }
    let levels = filters.compactMap(\.signal)
    guard let lowest = levels.min(), levels.count == filters.count else { return true }
    return signal >= lowest
  }

  private func offers(_ filters: [FakeDiscoveryFilter], _ strap: FakeStrap) -> Bool {
    guard let filters = merged(filters), !filters.contains(where: \.services.isEmpty) else { return true }
    let offered = strap.advertisedServices.map { FakeNames.uuid($0) }
    return filters.contains { !$0.services.isDisjoint(with: offered) }
  }

  /// A pattern of one client narrows what all get.
  private func matches(_ filters: [FakeDiscoveryFilter], _ strap: FakeStrap) -> Bool {
    let patterns = filters.compactMap(\.pattern)
    return patterns.isEmpty
      || patterns.contains { strap.address.description.hasPrefix($0) || strap.name.hasPrefix($0) }
  }
}
