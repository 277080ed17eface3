import Synchronization

/// The current configuration, which changes when it is reloaded.
final class CurrentConfiguration: Sendable {
  private let current: Mutex<StationConfiguration>

  init(_ configuration: StationConfiguration) {
    current = Mutex(configuration)
  }

  var value: StationConfiguration {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }
}
