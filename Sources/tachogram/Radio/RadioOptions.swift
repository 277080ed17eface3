import ArgumentParser
import BlueZ
import DBus
import Recording
import Repository
import TachogramCore

/// The options of every command that uses a radio.
struct RadioOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The D-Bus address of the bus that the Bluetooth daemon is on, such as unix:path=/run/…; by default the system bus.",
      valueName: "address"))
  var bus: String?

  @Option(help: "The Bluetooth adapter to use, by its address; by default any.")
  var adapter: AdapterAddress?

  /// Where the Bluetooth daemon is.
  var daemonBus: DBusBus { bus.map(DBusBus.address) ?? .system }

  /// Throws what keeps Bluetooth from being used, with exit code 4.
  func requireBluetooth() async throws {
    let availability = await BluetoothAvailability.check(
      daemonBus, adapter: adapter?.address, timeout: .milliseconds(900)
    )
    .availability
    if Task.isCancelled { throw CommandFailure("", code: .interrupted) }
    if let problem = BluetoothWording.problem(availability) { throw CommandFailure(problem, code: .noBluetooth) }
  }

  /// What straps broadcast.
  func broadcasts() -> BlueZBroadcasts {
    BlueZBroadcasts(bus: daemonBus, adapter: adapter?.address, time: SystemTimeSource())
  }

  /// What a source is to do for `straps`.
  func source(_ straps: [BlueZSourceOptions.Strap]) -> BlueZSourceOptions {
    var options = BlueZSourceOptions(straps: straps)
    options.bus = daemonBus
    options.adapter = adapter?.address
    options.bootID = SystemTimeSource.bootID
    options.seed = UInt64.random(in: 0...UInt64.max)
    return options
  }
}
