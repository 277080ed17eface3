import ArgumentParser
import BlueZ
import CommandProcess
import Listening
import Recording
import Repository
import Sessions
import TachogramCore
import TerminalUI

/// `record`: what straps say, into sessions on disk.
struct RecordCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record straps into the database until Ctrl-C or for a time; survives link loss.",
    discussion: "Without a strap the paired ones are recorded, or, while none is paired, the first that is heard.")

  @OptionGroup var listening: ListeningOptions
  @OptionGroup var store: DatabaseOption

  @Option(help: "Stop after this time, counted from the first notification, such as 90s, 30m or 8h.")
  var duration: SpanOption?

  @Option(help: "What to call the session.", transform: NameOption.name)
  var label: String?

  @Option(help: "text, json (one object at the end) or ndjson (a line an event).")
  var format = OutputFormat.text

  @Option(help: "Time within which what is heard is on the disk; longer spares SD cards and risks more at a power cut.")
  var commitInterval = SpanOption(seconds: 1)

  @Flag(
    help: ArgumentHelp(
      "Begin a new session even if the last one was cut off, as by a power cut, in the last hour; it goes on otherwise."
    ))
  var newSession = false

  @Flag(help: "Refused, with the reason: a broadcast is not what a session is made of.")
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
    let time = listening.plan.time()
    let source = try await listening.plan.source(databasePath: path, time: time)
    let database = try CommandFailure.wording { try DatabaseOpening.open(path, for: .recording) }
    let names = try listening.plan.names(databasePath: path)
    let output = RecordOutput(format: format, sink: LineSink { Task { await source.stop() } }, names: names)
    // Another recorder may be at work on what looks cut off.
    var options = options(resuming: !newSession && database.isOnlyRecorder)
    options.deviceID = ThisInstallation.deviceID(for: database, isReplay: listening.replay != nil)
    let recorder = LiveRecorder(
      source: source, options: options, time: time, database: database, observe: output.observe)
    let ended: [LiveRecorder.Ended]
    do {
      ended = try await recorder.run()
      try CommandFailure.wording { try database.close() }
    } catch let error as RepositoryError {
      throw CommandFailure(error)
    }
    if !ended.isEmpty { ProcessEnd.settle(.done) }
    guard !ended.isEmpty else {
      throw CommandFailure(
        "nothing was heard, so nothing was recorded", code: Task.isCancelled ? .interrupted : .failed)
    }
    try output.finish(ended, database: path)
  }

  private func options(resuming: Bool) -> LiveOptions {
    LiveOptions(
      person: listening.person, label: label, kind: listening.hrv, commitInterval: commitInterval.duration,
      duration: duration?.duration, resumes: resuming)
  }
}
