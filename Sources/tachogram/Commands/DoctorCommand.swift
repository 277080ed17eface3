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
    commandName: "doctor",
    abstract: "Check Bluetooth, permissions, clock and disk, and suggest a fix for each problem.",
    discussion: """
      Exits with 0 if straps can be received, otherwise with 4. Without --fix nothing is changed.
      """)

  static let ending = Interrupt.Ending.nothing

  /// How long each step may take, in seconds.
  private static let timeout = 2

  @OptionGroup var radio: RadioOptions
  @OptionGroup var store: DatabaseOption

  @Option(help: "text or json.")
  var format = OutputFormat.text

  @Flag(help: "First remove soft rfkill blocks and switch adapters on.")
  var fix = false

  func validate() throws {
    if format == .ndjson { throw ValidationError("doctor does not support ndjson; use text or json.") }
  }

  func perform() async throws {
    if fix { await switchOn() }
    let folder = (try store.path() as NSString).deletingLastPathComponent
    let (availability, adapters) = await BluetoothAvailability.check(
      radio.choice.bus, adapter: radio.choice.adapter, timeout: .seconds(Self.timeout))
    if Task.isCancelled { throw CommandFailure("", code: .interrupted) }
    let answer = BluetoothAnswer(
      availability: availability, adapters: adapters, wantedAdapter: radio.choice.adapter,
      timeout: Double(Self.timeout))
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
      .on(timeout: .seconds(Self.timeout))
    if steps.isEmpty { StandardStreams.error("nothing was found that a program has switched off") }
    for step in steps { StandardStreams.error(BluetoothWording.text(step)) }
  }
}
