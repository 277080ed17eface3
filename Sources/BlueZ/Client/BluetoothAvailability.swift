import DBus
import TachogramCore

/// Whether Bluetooth can be used through the daemon, and what stands in the way when not.
package enum BluetoothAvailability: Hashable, Sendable {
  case ready
  /// The bus cannot be reached.
  case noBus(DBusError)
  /// The bus refuses to let this user talk to the daemon.
  case accessDenied(message: String)
  case noDaemon
  /// The daemon is on the bus and does not answer.
  case daemonHangs
  /// The daemon answers with something else than documented.
  case daemonFails(DBusError)
  case noAdapter
  /// No adapter has the address that was asked for.
  case noSuchAdapter(BluetoothAddress, present: [BluetoothAddress])
  case adapterOff
  case adapterBlocked

  /// Looks, within `timeout` a step, and leaves nothing behind. `adapter` restricts to one; `isBlocked` says whether
  /// rfkill keeps an adapter off.
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
