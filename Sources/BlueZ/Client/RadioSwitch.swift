import BluetoothKernel
import DBus
import TachogramCore

/// Switches Bluetooth on if a program has switched it off: removes the soft blocks of rfkill, and makes the daemon power its
/// adapters. Hardware switches have to be operated by hand.
package struct RadioSwitch: Sendable {
  /// A step that was performed or has failed.
  package enum Step: Hashable, Sendable {
    /// A block was removed. The value is the name of the blocked radio.
    case unblocked(String)
    case switchedOn(BluetoothAddress)
    case refusedToUnblock(String, KernelAccessError)
    case refusedToSwitchOn(BluetoothAddress, DBusError)
  }

  private let bus: DBusBus
  private let adapter: BluetoothAddress?
  private let rfkill: RFKill?

  /// Creates a switch. `adapter` is the address of the only adapter to switch on, or `nil` for all. `rfkill` is `nil` if the
  /// daemon does not run on this kernel.
  package init(bus: DBusBus, adapter: BluetoothAddress? = nil, rfkill: RFKill? = nil) {
    self.bus = bus
    self.adapter = adapter
    self.rfkill = rfkill
  }

  /// Switches on the radios that are off, with `timeout` for each step. Returns the steps, which are empty if no radio was off.
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
