import ArgumentParser
import DBus
import Listening

/// The options of every command that uses a radio.
struct RadioOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The D-Bus address of the bus that the Bluetooth daemon is on, such as unix:path=/run/…; by default the system bus.",
      valueName: "address"))
  var bus: String?

  @Option(help: "The address of the Bluetooth adapter. Default: any adapter.")
  var adapter: AdapterAddress?

  /// The radio of the options.
  var choice: RadioChoice { RadioChoice(bus: bus.map(DBusBus.address) ?? .system, adapter: adapter?.address) }
}
