import ArgumentParser
import BlueZ
import CommandProcess
import FoundationEssentials
import Listening
import Pipeline
import Presentation
import Recording
import Repository
import Sessions
import TachogramCore
import TerminalUI

/// `record`: records straps into sessions on disk.
struct RecordCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record straps in the database, until Ctrl-C or for a given time. Reconnects when a link is lost.",
    discussion: "Without a strap, the paired straps are recorded, or the first one in range if none is paired.")

  @OptionGroup var listening: ListeningOptions
  @OptionGroup var store: DatabaseOption

  @Option(help: "Stop this long after the first notification, such as 90s, 30m or 8h.")
  var duration: SpanOption?

  @Option(help: "A label for the session.", transform: NameOption.name)
  var label: String?

  @Option(help: "text, json (one object at the end) or ndjson (one line per event).")
  var format = OutputFormat.text

  @Option(
    help: "The longest time between two commits. Longer intervals wear SD cards less, and a power cut loses more.")
  var commitInterval = SpanOption(seconds: 1)

  @Flag(
    help: ArgumentHelp(
      "Start a new session even if the last one was interrupted within the last hour. Default: continue it."
    ))
  var newSession = false

  @Flag(
    help: "Record the accelerometer of Polar straps, from which movement in bed is computed (25 Hz, 4.5 MB a night).")
  var accelerometer = false

  @Flag(help: "Record the ECG of Polar straps (130 Hz, about 10 MB an hour).")
  var ecg = false

  @Flag(help: "Record the pulse-to-pulse intervals of Polar's optical sensors.")
  var ppi = false

  @Flag(help: "Not supported: broadcasts contain no RR intervals.")
  var broadcast = false

  func validate() throws {
    if broadcast {
      throw ValidationError(
        "what straps broadcast cannot be recorded: it is an average heart rate without RR intervals, so there would be "
          + "no HRV and no stress, and it is not the value that a session keeps. To record, leave --broadcast out; to "
          + "watch or keep the averages, use `tachogram live --broadcast`, with --format ndjson for a file.")
    }
  }

  func perform() async throws {
    Interrupt.noteStoring()
    let path = try store.path()
    let names = try listening.plan.names(databasePath: path)
    let plan = plan(names)
    let time = plan.time()
    let source = try await plan.source(databasePath: path, time: time)
    let database = try CommandFailure.wording { try DatabaseOpening.open(path, for: .recording) }
    let output = RecordOutput(format: format, sink: LineSink { Task { await source.stop() } }, names: names)
    // An interrupted session may belong to another running recorder.
    var options = options(resuming: !newSession && database.isOnlyRecorder)
    options.deviceID = ThisInstallation.deviceID(for: database, isReplay: listening.replay != nil)
    let recorder = LiveRecorder(
      source: source, options: options, time: time, database: database, observe: output.observe)
    let ended: [LiveRecorder.Ended]
    do {
      ended = try await recorder.run()
      try endNights(of: ended, in: database)
      try CommandFailure.wording { try database.close() }
    } catch let error as RepositoryError {
      throw CommandFailure(error)
    }
    if !ended.isEmpty { ProcessEnd.settle(.done) }
    guard !ended.isEmpty else {
      throw CommandFailure(
        "nothing was received, so nothing was recorded", code: Task.isCancelled ? .interrupted : .failed)
    }
    try output.finish(ended, database: path)
  }

  /// Ends the nights of the sessions, which have ended.
  private func endNights(of ended: [LiveRecorder.Ended], in database: TachogramDatabase) throws {
    try CommandFailure.wording {
      let keeper = NightKeeper(database: database, timeZone: .current)
      for night in try keeper.endThose(of: ended.map(\.report.session.id), at: SystemTimeSource().now().wall) {
        StandardStreams.error("tachogram: the night of session \(night.session.prefix(8)) ended with the recording")
      }
    }
  }

  private func plan(_ names: StrapNames) -> ListeningPlan {
    var plan = listening.plan
    plan.sensors = SensorWishes(accelerometer: accelerometer, ecg: ecg, pulseIntervals: ppi)
    plan.reportStream = { report in
      let name = LogText.safe(TerminalText.safe(names.name(report.strap, nil)))
      StandardStreams.error("\(name): \(SensorStreamWording.text(report))")
    }
    return plan
  }

  private func options(resuming: Bool) -> LiveOptions {
    LiveOptions(
      person: listening.person, label: label, kind: listening.hrv, commitInterval: commitInterval.duration,
      duration: duration?.duration, resumes: resuming)
  }
}
