/// What a link depends on, as the object tree shows it at one moment.
package struct LinkSurroundings: Hashable, Sendable {
  /// What is known of the strap while the daemon knows it.
  package struct Device: Hashable, Sendable {
    package var isConnected: Bool
    package var servicesResolved: Bool
    package var isPaired: Bool
    /// Whether it was heard advertising since the discovery that runs began.
    package var isInRange: Bool
    /// Whether a Heart Rate Measurement characteristic is among what was resolved.
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
