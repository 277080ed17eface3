import ArgumentParser
import CommandProcess
import Presentation
import Recording
import Repository
import TachogramCore

/// `sleep show`: shows one night.
struct SleepShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the stages and metrics of a night.")

  @Argument(help: "The session, by its identifier or at least the first four characters of it.")
  var session: String

  @OptionGroup var database: DatabaseOption

  @Option(help: "text or json.")
  var format = OutputFormat.text

  func validate() throws {
    if format == .ndjson { throw ValidationError("ndjson is not supported; use text or json.") }
  }

  func run() throws {
    let opened = try database.openForReading()
    try CommandFailure.wording {
      let description = try SessionRepository(database: opened).session(matching: session).description
      let id = description.id
      guard let night = try SleepRepository(database: opened).night(of: id), let staging = night.staging else {
        throw CommandFailure(
          "the session \(id) has no stages yet; `tachogram sleep stage \(id.prefix(8))` estimates them")
      }
      let item = try SleepItem(night, description, withPeriods: true)
      if format == .json { return StandardStreams.out(try JSONOutput.line(item)) }
      StandardStreams.out("night             \(item.start) to \(item.end ?? "now")\n")
      StandardStreams.out(try SleepText.summary(staging.stages))
      for (label, value, unit) in [
        ("lowest heart rate", item.lowestHeartRate, "bpm"), ("mean heart rate", item.meanHeartRate, "bpm"),
        ("RMSSD", item.rmssd, "ms"),
      ] {
        if let value { StandardStreams.out(SleepText.line(label, "\(Wording.rounded(value)) \(unit)")) }
      }
      StandardStreams.out("estimated by \(staging.estimator)\n")
    }
  }
}
