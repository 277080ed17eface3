import BluetoothKernel
import DBus
import TachogramCore

/// Switches Bluetooth on where a program has switched it off: takes rfkill's soft blocks off, and has the daemon switch
/// its adapters on. A switch in hardware is for hands alone.
package struct RadioSwitch: Sendable {
  /// What was done, or could not be.
  package enum Step: Hashable, Sendable {
    /// A block was taken off, by the name of what it blocked.
    case unblocked(String)
    case switchedOn(BluetoothAddress)
    case refusedToUnblock(String, KernelAccessError)
    case refusedToSwitchOn(BluetoothAddress, DBusError)
  }

  private let bus: DBusBus
  private let adapter: BluetoothAddress?
  private let rfkill: RFKill?

  /// `adapter` restricts to one, by its address; `rfkill` is `nil` where the daemon is not that of this kernel.
  package init(bus: DBusBus, adapter: BluetoothAddress? = nil, rfkill: RFKill? = nil) {
    self.bus = bus
    self.adapter = adapter
    self.rfkill = rfkill
  }

  /// Switches on what is off, within `timeout` a step. Empty where nothing was.
  package func on(timeout: Duration = .seconds(2)) async -> [Step] {
    var steps: [Step] = []
    for radio in rfkill?.switches() ?? [] where radio.isSoftBlocked {
      do throws(KernelAccessError) {
        try rfkill?.unblock(radio)
        steps.append(.unblocked(radio.name))
      } catch {
        steps.append(.refusedToUnblock(radio.name, error))
      }
    }
    let found = await BluetoothAvailability.check(bus, timeout: timeout).adapters
    for one in found where !one.isPowered && (adapter == nil || adapter?.value == one.address.value) {
      do throws(DBusError) {
        try await switchOn(one, timeout)
        steps.append(.switchedOn(one.address))
      } catch {
        steps.append(.refusedToSwitchOn(one.address, error))
      }
    }
    return steps
  }

  private func switchOn(_ adapter: BlueZAdapter, _ timeout: Duration) async throws(DBusError) {
    let connection = try await DBusConnection.open(bus, timeout: timeout)
    defer { connection.close() }
    _ = try await connection.call(
      DBusMethodCall(
        destination: BlueZName.service, path: try DBusObjectPath(validating: adapter.path),
        interface: BlueZName.Interface.properties, member: BlueZName.Member.set,
        arguments: [
          .string(BlueZName.Interface.adapter), .string(BlueZName.Property.powered), .variant(.bool(true)),
        ]), timeout: timeout)
  }
}
