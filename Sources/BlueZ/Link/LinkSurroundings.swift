/// A snapshot of the parts of the object tree that a link depends on.
package struct LinkSurroundings: Hashable, Sendable {
  /// The state of a strap that is known to the daemon.
  package struct Device: Hashable, Sendable {
    package var isConnected: Bool
    package var servicesResolved: Bool
    package var isPaired: Bool
    /// Whether an advertisement has been received since the start of the running discovery.
    package var isInRange: Bool
    /// Whether the resolved services include a Heart Rate Measurement characteristic.
    package var hasHeartRate: Bool

    package init(
      isConnected: Bool = false, servicesResolved: Bool = false, isPaired: Bool = false, isInRange: Bool = false,
      hasHeartRate: Bool = false,
    ) {
      self.isConnected = isConnected
      self.servicesResolved = servicesResolved
      self.isPaired = isPaired
      self.isInRange = isInRange
      self.hasHeartRate = hasHeartRate
    }
  }

  package var hasBus: Bool
  package var hasDaemon: Bool
  package var adapter: AdapterCondition
  package var device: Device?

  package init(
    hasBus: Bool = true, hasDaemon: Bool = true, adapter: AdapterCondition = .ready, device: Device? = nil,
  ) {
    self.hasBus = hasBus
    self.hasDaemon = hasDaemon
    self.adapter = adapter
    self.device = device
  }
}
