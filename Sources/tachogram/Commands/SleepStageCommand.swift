import ArgumentParser
import CommandProcess
import FileSystem
import Foundation
import Presentation
import Recording
import Repository
import Sleep
import TachogramCore

/// `sleep stage`: estimates the stages of a night, of a session or of files.
struct SleepStageCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "stage", abstract: "Estimate the sleep stages of a night.",
    discussion: """
      The night is a stored session, with which the stages are stored, or the data of files, of which nothing is stored: \
      beats (--rr: columns beat_time_s and rr_ms), heart rates (--heart-rate: lines \"seconds,beats per minute\") and \
      movement (--movement: columns epoch_start_s and count_feature). Times are in seconds from the start of the night.
      """)

  static let ending = Interrupt.Ending.storing

  @Argument(help: "The session, by its identifier or at least the first four characters of it.")
  var session: String?

  @Option(
    help: "The time when the person went to bed. Default: that of the stored night, or the first beat of the session.",
    transform: TimeOption.time)
  var from: WallTime?

  @Option(
    help: "The time when the person got up. Default: that of the stored night, or the last beat of the session.",
    transform: TimeOption.time)
  var to: WallTime?

  @Option(help: "A file with beats.", completion: .file())
  var rr: String?

  @Option(help: "A file with heart rates.", completion: .file())
  var heartRate: String?

  @Option(help: "A file with movement.", completion: .file())
  var movement: String?

  @OptionGroup var database: DatabaseOption

  @Option(help: "text, or json with the stage of each epoch of 30 s.")
  var format = OutputFormat.text

  private var files: [String] { [rr, heartRate, movement].compactMap(\.self) }

  func validate() throws {
    if (session == nil) == files.isEmpty { throw ValidationError("Name a session, or files of a night.") }
    if session == nil, from != nil || to != nil { throw ValidationError("--from and --to require a session.") }
    if format == .ndjson { throw ValidationError("ndjson is not supported; use text or json.") }
  }

  func perform() async throws {
    try CommandFailure.wording {
      guard let session else { return try write(NightEstimates(try night())) }
      try database.change(for: .writing) { database in try stage(session, in: database) }
    }
  }

  // MARK: - A session

  private func stage(_ prefix: String, in database: TachogramDatabase) throws {
    let record = try SessionRepository(database: database).session(matching: prefix)
    let nights = SleepRepository(database: database)
    let id = record.description.id
    let stored = try nights.night(of: id)
    if stored?.origin == .file, record.beatCount == 0 {
      throw CommandFailure("the night of session \(id) was imported, and has no beats to estimate other stages from")
    }
    if let stored, stored.lightsOn == nil {
      throw CommandFailure("the night of session \(id) lasts; `tachogram sleep stop \(id.prefix(8))` ends it first")
    }
    try checkTimes(record)
    let night: SessionNight
    do {
      night = try SessionNight(
        record, from: from.map(record.description.monotonic) ?? stored?.lightsOff,
        to: to.map(record.description.monotonic) ?? stored?.lightsOn, in: database, timeZone: .current)
    } catch let error as SessionNight.Failure {
      throw CommandFailure("\(error)")
    }
    let estimates = NightEstimates(night.night)
    try nights.store(
      SleepSession(
        session: id, origin: stored?.origin ?? .command, lightsOff: night.lightsOff, lightsOn: night.lightsOn,
        staging: night.staging(estimates.primary.staged)))
    try write(estimates)
  }

  /// A night ends at the last beat at the latest: the strap was taken off then.
  private func checkTimes(_ record: SessionRecord) throws {
    let (start, end) = (record.description.start, record.end)
    // Times in text are truncated, and the last beat is not later than the last entry.
    let latest = end.advanced(by: .seconds(30))
    for (option, time) in [("--from", from), ("--to", to)] {
      if let time, time > latest {
        throw CommandFailure("\(option) is after the end of the session, \(Timestamp.text(end))", code: .badInput)
      }
    }
    if let from, from < start.advanced(by: .seconds(-86_400)) {
      throw CommandFailure(
        "--from is more than a day before the session, which begins at \(Timestamp.text(start))", code: .badInput)
    }
    if let to, to < start {
      throw CommandFailure("--to is before the start of the session, \(Timestamp.text(start))", code: .badInput)
    }
  }

  // MARK: - Files

  private func night() throws -> SleepNight {
    do {
      let night = try NightFiles.night(
        rr: try rr.map(contents), heartRate: try heartRate.map(contents), movement: try movement.map(contents))
      noteUnusedRates(of: night)
      return night
    } catch let error as NightFileError {
      let path = [NightFile.intervals: rr, .heartRate: heartRate, .movement: movement][error.file] ?? nil
      throw CommandFailure("\(path ?? "the night"): \(error)", code: .badInput)
    } catch let error as SleepInputError {
      throw CommandFailure("the night cannot be used: \(error)", code: .badInput)
    }
  }

  /// Reports which of two files with heart rates is not used for them.
  private func noteUnusedRates(of night: SleepNight) {
    guard let rr, let heartRate, let source = NightSeries(night, isCausal: false).heartRateSource else { return }
    let (used, unused) = source == .intervals ? (rr, heartRate) : (heartRate, rr)
    let reason = source == .intervals ? "more" : "at least as many"
    StandardStreams.error(
      "tachogram: the heart rates of \(unused) are not used: \(used) has them for \(reason) epochs of the night")
  }

  private func contents(_ path: String) throws -> [UInt8] {
    do {
      guard let bytes = try AtomicFile.read(path, limit: NightFile.maximumBytes) else {
        throw CommandFailure("there is no file \(path)")
      }
      return bytes
    } catch let error as AtomicFile.Failure {
      throw CommandFailure("\(error)")
    }
  }

  // MARK: - Output

  private func write(_ estimates: NightEstimates) throws {
    if format == .json { return StandardStreams.out(try JSONOutput.line(try NightReport(estimates))) }
    StandardStreams.out(try SleepText.summary(estimates.primary.staged.stages))
    StandardStreams.out("estimated by \(estimates.primary.staged.estimator)\n")
  }
}
