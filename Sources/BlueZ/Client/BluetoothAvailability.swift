import DBus
import TachogramCore

/// Whether Bluetooth can be used through the daemon, and the obstacle if not.
package enum BluetoothAvailability: Hashable, Sendable {
  case ready
  /// The bus cannot be reached.
  case noBus(DBusError)
  /// The bus does not permit this user to communicate with the daemon.
  case accessDenied(message: String)
  case noDaemon
  /// The daemon is on the bus but does not reply.
  case daemonHangs
  /// The daemon replies with an error, or not as documented.
  case daemonFails(DBusError)
  case noAdapter
  /// No adapter has the requested address.
  case noSuchAdapter(BluetoothAddress, present: [BluetoothAddress])
  case adapterOff
  case adapterBlocked

  /// Checks the availability, with `timeout` for each step, without side effects. `adapter` restricts the check to one adapter.
  /// `isBlocked` returns whether rfkill blocks an adapter.
  package static func check(
    _ bus: DBusBus, adapter: BluetoothAddress? = nil, isBlocked: AdapterCondition.Blocked? = nil,
    timeout: Duration = .seconds(2),
  ) async -> (availability: BluetoothAvailability, adapters: [BlueZAdapter]) {
    let connection: DBusConnection
    do {
      connection = try await DBusConnection.open(bus, timeout: timeout)
    } catch {
      return (.noBus(error), [])
    }
    defer { connection.close() }
    do {
      guard try await connection.owner(of: BlueZName.service) != nil else { return (.noDaemon, []) }
      let answer = try await connection.call(
        DBusMethodCall(
          destination: BlueZName.service, path: .root, interface: BlueZName.Interface.objectManager,
          member: BlueZName.Member.getManagedObjects), timeout: timeout)
      var tree = BlueZObjectTree()
      for object in try BlueZMessage.managedObjects(answer) { tree.add(object.path, object.interfaces) }
      return (judge(tree.adapters, adapter, isBlocked), tree.adapters)
    } catch .timedOut {
      return (.daemonHangs, [])
    } catch .remote(BlueZName.Error.accessDenied, let message) {
      return (.accessDenied(message: message), [])
    } catch .remote(BlueZName.Error.serviceUnknown, _) {
      return (.noDaemon, [])
    } catch {
      return (.daemonFails(error), [])
    }
  }

  private static func judge(
    _ adapters: [BlueZAdapter], _ wanted: BluetoothAddress?, _ isBlocked: AdapterCondition.Blocked?,
  ) -> BluetoothAvailability {
    if adapters.isEmpty { return .noAdapter }
    let usable = adapters.filter { wanted?.matches($0.address) ?? true }
    if let wanted, usable.isEmpty { return .noSuchAdapter(wanted, present: adapters.map(\.address)) }
    let conditions = usable.map { $0.condition(isBlocked) }
    if conditions.contains(.ready) { return .ready }
    return conditions.contains(.off) ? .adapterOff : .adapterBlocked
  }
}
