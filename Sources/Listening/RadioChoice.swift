import BlueZ
import BluetoothKernel
import CommandProcess
import DBus
import Recording
import TachogramCore

/// Which radio is used.
package struct RadioChoice: Sendable {
  /// The bus of the Bluetooth daemon.
  package var bus: DBusBus
  /// `nil` for any adapter.
  package var adapter: BluetoothAddress?

  package init(bus: DBusBus, adapter: BluetoothAddress?) {
    (self.bus, self.adapter) = (bus, adapter)
  }

  /// Whether the daemon uses this machine's kernel.
  package var isOfThisMachine: Bool { bus == .system }

  /// Whether rfkill keeps an adapter off: this kernel knows, of the daemon that runs on it.
  private var isBlocked: AdapterCondition.Blocked? {
    guard isOfThisMachine else { return nil }
    return { RFKill().isBlocked($0) }
  }

  /// Returns why Bluetooth cannot be used, with the remedy, or `nil` if it can.
  package func problem() async -> String? {
    BluetoothWording.problem(
      await BluetoothAvailability.check(bus, adapter: adapter, isBlocked: isBlocked, timeout: .milliseconds(900))
        .availability)
  }

  /// Throws an error with exit code 4 if Bluetooth cannot be used.
  package func requireBluetooth() async throws {
    let problem = await problem()
    if Task.isCancelled { throw CommandFailure("", code: .interrupted) }
    if let problem { throw CommandFailure(problem, code: .noBluetooth) }
  }

  /// Returns a source of the heart rates that straps broadcast.
  package func broadcasts() -> BlueZBroadcasts {
    BlueZBroadcasts(bus: bus, adapter: adapter, isBlocked: isBlocked, time: SystemTimeSource())
  }

  /// Returns the options of a source for `straps`.
  package func source(_ straps: [BlueZSourceOptions.Strap]) -> BlueZSourceOptions {
    var options = BlueZSourceOptions(straps: straps)
    options.bus = bus
    options.adapter = adapter
    options.isBlocked = isBlocked
    options.bootID = SystemTimeSource.bootID
    options.seed = UInt64.random(in: 0...UInt64.max)
    return options
  }
}
