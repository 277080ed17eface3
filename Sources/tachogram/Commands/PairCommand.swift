import ArgumentParser
import BlueZ
import CommandProcess
import Glibc
import Listening
import Presentation
import Recording
import Repository
import TachogramCore

/// `pair`: selects a strap, bonds with it if it asks for that, stores it, and shows three readings.
struct PairCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "pair", abstract: "Choose a strap, bond if it asks for it, remember it, and show three live readings.")

  /// The time limit for three readings of the found strap.
  private static let timeout: Duration = .seconds(60)
  private static let wantedReadings = 3

  @Argument(help: "The strap, by name or address. Default: the only one in range, or the one that you choose.")
  var strap: String?

  @OptionGroup var radio: RadioOptions
  @OptionGroup var store: DatabaseOption

  @Option(help: "How long to scan.")
  var duration = SpanOption(seconds: 15)

  @Option(help: "A name for the strap. Default: the name that it advertises.", transform: NameOption.name)
  var name: String?

  @Option(help: "The passkey of the strap, 0 to 999999. Default: ask in the terminal.")
  var passkey: UInt32?

  @Flag(help: "Bond even if the strap does not ask for it.")
  var bond = false

  func validate() throws {
    if let passkey, passkey > 999_999 { throw ValidationError("--passkey is 0 to 999999.") }
  }

  func perform() async throws {
    let path = try store.path()
    try await radio.choice.requireBluetooth()
    let device = try await pick()
    var options = radio.choice.source([BlueZSourceOptions.Strap(.address(device.address), wantsBond: bond)])
    options.prompt = passkey.map { FixedPasskeyPrompt(passkey: $0) } ?? TerminalPairingPrompt()
    let source = BlueZRadioSource(options, time: SystemTimeSource())
    let heard = try await PrintedTrial(trial: StrapTrial(source: source)).run(
      readings: Self.wantedReadings, timeout: Self.timeout, mayHold: device.isConnected && !bond)
    let known = try KnownStraps.remember(
      path, KnownStrap(device, heard, name: name, added: SystemTimeSource().now().wall))
    if heard.isHeld {
      StandardStreams.error("another program, perhaps the station, has its readings: there are none to show here")
    }
    StandardStreams.out(
      "\(TerminalText.safe(known.name)) (\(known.address)) is paired now\(heard.isBonded ? ", and bonded" : ""); "
        + "`tachogram live` shows it, `tachogram record` records it\n")
    if let warning = StrapChoice.warning(known) { StandardStreams.error(warning) }
  }

  // MARK: - Picking

  private func pick() async throws -> BlueZDevice {
    let wanted = strap
    let straps = try await StrapScan.straps(radio.choice, duration: duration.duration) { devices in
      wanted.map { wanted in devices.contains { Self.matches($0, wanted) } } ?? false
    }
    if Task.isCancelled { throw CommandFailure("", code: .interrupted) }
    if let wanted {
      guard let device = straps.first(where: { Self.matches($0, wanted) }) else {
        throw CommandFailure("\(wanted) was not found: wear it, bring it near, and end other connections to it")
      }
      return device
    }
    guard let first = straps.first else {
      throw CommandFailure("no strap was found: wear it, wet the electrodes, and end other connections to it")
    }
    return straps.count == 1 ? first : try choose(straps)
  }

  private static func matches(_ device: BlueZDevice, _ wanted: String) -> Bool {
    device.name?.lowercased() == wanted.lowercased()
      || BluetoothAddress(text: wanted).map { $0.value == device.address.value } ?? false
  }

  private func choose(_ straps: [BlueZDevice]) throws -> BlueZDevice {
    let list = straps.enumerated().map { "  \($0 + 1)  \(ScannedStrap($1, known: nil).line)" }
    guard StandardStreams.isInputTerminal else {
      throw CommandFailure(
        "several straps are in range; name one of them:", details: list.map { String($0.dropLast()) }, code: .badUsage)
    }
    StandardStreams.errorPart("\(list.joined())which one? ")
    guard Interrupt.wait(for: STDIN_FILENO, POLLIN, afterRequest: 0) else {
      throw CommandFailure("", code: .interrupted)
    }
    guard let answer = readLine().flatMap({ Int($0) }), straps.indices.contains(answer - 1) else {
      throw CommandFailure("no strap was chosen", code: .badUsage)
    }
    return straps[answer - 1]
  }
}
