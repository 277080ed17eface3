import ArgumentParser
import BlueZ
import BluetoothKernel
import CommandProcess
import Doctor
import Foundation
import Listening
import Presentation

/// `doctor`: what keeps straps from being heard, or from being heard well, and what to do about it.
struct DoctorCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check Bluetooth, rights, clock and disk; each finding with its remedy.",
    discussion: """
      Ends with 0 when straps can be heard, else with 4. Nothing is changed but with --fix, which takes rfkill's blocks off \
      and switches adapters on before it looks.
      """)

  static let ending = Interrupt.Ending.nothing

  /// How long each step may take, in seconds.
  private static let patience = 2

  @OptionGroup var radio: RadioOptions
  @OptionGroup var store: DatabaseOption

  @Option(help: "text or json.")
  var format = OutputFormat.text

  @Flag(help: "First switch on what a program has switched off: rfkill's soft blocks, and adapters.")
  var fix = false

  func validate() throws {
    if format == .ndjson { throw ValidationError("doctor has no event lines; use text or json.") }
  }

  func perform() async throws {
    if fix { await switchOn() }
    let folder = (try store.path() as NSString).deletingLastPathComponent
    let (availability, adapters) = await BluetoothAvailability.check(
      radio.choice.bus, adapter: radio.choice.adapter, timeout: .seconds(Self.patience))
    if Task.isCancelled { throw CommandFailure("", code: .interrupted) }
    let answer = BluetoothAnswer(
      availability: availability, adapters: adapters, wantedAdapter: radio.choice.adapter,
      patience: Double(Self.patience))
    var facts = answer.facts
    if facts.daemon != .running, radio.choice.isOfThisMachine {
      facts.kernelAdapters = try? await ManagementSocket.open().adapters()
    }
    let environment = ProcessInfo.processInfo.environment
    let report = DoctorReport(
      DoctorCollector(environment: environment, stateFolder: folder.isEmpty ? "." : folder)
        .facts(bluetooth: facts))
    if format == .json {
      StandardStreams.out(try JSONOutput.line(report))
    } else {
      let isTerminal = StandardStreams.isOutputTerminal
      let style = TerminalStyle(environment: environment, isTerminal: isTerminal)
      let text =
        isTerminal ? DoctorText(style: style, columns: StandardStreams.outputColumns) : DoctorText(style: style)
      StandardStreams.out(text.text(report))
    }
    if !report.usable { throw CommandFailure("", code: .noBluetooth) }
  }

  /// Says what it does on standard error: the report is data.
  private func switchOn() async {
    let rfkill = radio.choice.isOfThisMachine ? RFKill() : nil
    let steps = await RadioSwitch(bus: radio.choice.bus, adapter: radio.choice.adapter, rfkill: rfkill)
      .on(timeout: .seconds(Self.patience))
    if steps.isEmpty { StandardStreams.error("nothing was found that a program has switched off") }
    for step in steps { StandardStreams.error(BluetoothWording.text(step)) }
  }
}
