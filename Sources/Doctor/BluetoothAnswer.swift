import BlueZ
import DBus
import TachogramCore

/// The replies of the bus, converted to facts.
package struct BluetoothAnswer {
  package let availability: BluetoothAvailability
  package let adapters: [BlueZAdapter]
  package let wantedAdapter: BluetoothAddress?
  /// The time limit for bluetoothd's reply, in seconds.
  package let timeout: Double

  package init(
    availability: BluetoothAvailability, adapters: [BlueZAdapter], wantedAdapter: BluetoothAddress?, timeout: Double,
  ) {
    self.availability = availability
    self.adapters = adapters
    self.wantedAdapter = wantedAdapter
    self.timeout = timeout
  }

  package var facts: BluetoothFacts {
    var facts = BluetoothFacts()
    facts.daemon = .running
    facts.adapters = adapters.map(Self.adapter)
    facts.wantedAdapter = wantedAdapter?.description
    switch availability {
    case .noBus(let error):
      facts.daemon = .unknown
      facts.busError = Self.busError(error)
    case .accessDenied(let message):
      facts.daemon = .unknown
      facts.busError = .denied(message)
    case .noDaemon: facts.daemon = .absent
    case .daemonHangs: facts.daemon = .hanging(seconds: timeout)
    case .daemonFails(let error): facts.daemon = .failing(BluetoothWording.detail(error))
    case .ready, .noAdapter, .noSuchAdapter, .adapterOff, .adapterBlocked: break
    }
    return facts
  }

  private static func busError(_ error: DBusError) -> BluetoothFacts.BusError {
    if case .cannotConnect(let address, _, _) = error, error.isWithoutServer { return .noBus(address: address) }
    return .other(BluetoothWording.detail(error))
  }

  private static func adapter(_ adapter: BlueZAdapter) -> BluetoothFacts.Adapter {
    BluetoothFacts.Adapter(
      name: String(adapter.path.drop { $0 == "/" }.split(separator: "/").last ?? ""),
      address: adapter.address.description, isPowered: adapter.isPowered, hasLowEnergy: adapter.hasLowEnergy,
      isSoftBlocked: adapter.condition == .blocked, isDiscovering: adapter.isDiscovering)
  }
}
