import ArgumentParser
import Capture
import CommandProcess
import Listening
import Reports
import Repository
import Sessions
import StressKit
import TachogramCore

/// `replay`: replays captures through the whole pipeline to a report.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract:
      "Replay captures (btsnoop, pcap, pcapng, PacketLogger) and report beats, HRV and stress.",
    discussion: "Nothing is stored unless --database names a file.",
  )

  @Argument(help: "Capture files, or - for standard input. Each is replayed separately.", completion: .file())
  var files: [String]

  @Option(help: "text, json (one object) or ndjson (one line per event).")
  var format = OutputFormat.text

  @Option(help: "Store the sessions in this database. Replaying a capture again changes nothing.")
  var database: String?

  @Option(help: "max, or a multiple of real time.")
  var speed = ReplaySpeed.max

  @Option(
    help: "The attribute handle of the heart-rate measurement, such as 0x0012, for a capture without service discovery."
  )
  var handle: AttributeHandle?

  @Option(help: "Only the strap with this address. Repeatable.")
  var strap: [StrapAddress] = []

  @Option(help: "The person who wore the strap.", transform: NameOption.name)
  var person: String?

  @Option(help: "The HRV metric that stress levels are computed from: sdnn or rmssd.")
  var hrv = HRVKind.sdnn

  @Flag(help: "Exit with 3 if a part of a capture is damaged.")
  var strict = false

  func run() throws {
    if database != nil { Interrupt.allow(.storing) }
    let store = try database.map { path in
      try CommandFailure.wording { try DatabaseOpening.open(path) }
    }
    let output = ReplayOutput(format: format, isSingle: files.count == 1)
    var failures: [CommandFailure] = []
    for file in files {
      let input = InputFile(path: file)
      do {
        let ending = try ReplayRunner(
          file: input, handle: handle?.value, straps: strap.map(\.address), person: person, kind: hrv,
          pace: ReplayPace(factor: speed.factor), database: store, events: output.events,
        ).run()
        let report = InputReport(ending, kind: hrv)
        try output.add(report, file: file)
        warn(report, file: file, &failures)
        if database != nil, let failure = InputInterrupt.cutOff(input) {
          StandardStreams.error("tachogram: \(failure.message)")
          failures.append(CommandFailure("", code: failure.code))
          break
        }
      } catch {
        let failure = InputInterrupt.failure(error, of: input)
        guard failure.code != .interrupted, files.count > 1 else { throw failure }
        StandardStreams.error("tachogram: \(failure.message)")
        failures.append(CommandFailure("", code: failure.code))
      }
    }
    try output.finish()
    try CommandFailure.wording { try store?.close() }
    if let failure = failures.first { throw failure }
  }

  private func warn(_ report: InputReport, file: String, _ failures: inout [CommandFailure]) {
    if let refusal = report.refusal {
      StandardStreams.error("tachogram: \(refusal)")
      failures.append(CommandFailure("", code: .badInput))
      return
    }
    let capture = report.capture
    guard capture.damaged > 0 else { return }
    let first = capture.damages.first.map { ", the first at byte \($0.offset): \($0.problem)" } ?? ""
    let message =
      "\(file): \(capture.damaged) damaged part(s) passed over (\(capture.damagedBytes) bytes)\(first); the rest was used"
    StandardStreams.error("tachogram: \(message)")
    if strict { failures.append(CommandFailure("", code: .badInput)) }
  }
}
