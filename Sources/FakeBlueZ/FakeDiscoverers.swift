import TachogramCore

/// The clients that discover on one adapter, by unique name, and the advertisements reported to them. Their filters are merged
/// into one for the controller, and what passes it is reported to all clients (BlueZ 5.66, `src/adapter.c`).
package struct FakeDiscoverers: Sendable {
  package private(set) var filters: [String: FakeDiscoveryFilter] = [:]
  /// Filters that were set before a discovery, or kept from one that ended.
  private var kept: [String: FakeDiscoveryFilter] = [:]

  package var isEmpty: Bool { filters.isEmpty }
  package var wantDuplicates: Bool { filters.values.contains(where: \.wantsDuplicates) }
  /// Whether the discovery is filtered: the filter of one client is enough.
  var isFiltered: Bool { filters.values.contains(where: \.isSet) }

  func contains(_ client: String) -> Bool { filters[client] != nil }

  /// Sets the filter of a client for its current or next discovery.
  mutating func set(_ filter: FakeDiscoveryFilter, for client: String) {
    if contains(client) { filters[client] = filter } else { kept[client] = filter.isSet ? filter : nil }
  }

  /// Starts the discovery of a client with the filter that it has set.
  mutating func start(_ client: String) {
    filters[client] = kept.removeValue(forKey: client) ?? FakeDiscoveryFilter()
  }

  /// Ends the discovery of a client and keeps its filter for the next one.
  mutating func stop(_ client: String) {
    guard let filter = filters.removeValue(forKey: client) else { return }
    kept[client] = filter.isSet ? filter : nil
  }

  /// Removes a client that left the bus. Returns whether it was discovering.
  mutating func leave(_ client: String) -> Bool {
    kept[client] = nil
    return filters.removeValue(forKey: client) != nil
  }

  mutating func removeAll() {
    filters.removeAll()
    kept.removeAll()
  }

  // MARK: - Filtering

  /// Whether an advertisement of a strap at a level in dBm is reported.
  func hear(_ strap: FakeStrap, at signal: Int16) -> Bool {
    let filters = Array(filters.values)
    guard !filters.isEmpty else { return false }
    return isWithin(filters, signal) && offers(filters, strap) && matches(filters, strap)
  }

  /// Returns the filters merged for the controller, or `nil` if a client without a filter disables them for all.
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

  /// Whether a strap matches a pattern. The pattern of one client restricts the results of all.
  private func matches(_ filters: [FakeDiscoveryFilter], _ strap: FakeStrap) -> Bool {
    let patterns = filters.compactMap(\.pattern)
    return patterns.isEmpty
      || patterns.contains { strap.address.description.hasPrefix($0) || strap.name.hasPrefix($0) }
  }
}
