import Synchronization

/// The configuration as it holds now; it changes when it is read again.
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
