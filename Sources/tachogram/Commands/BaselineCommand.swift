import ArgumentParser
import CommandProcess
import Foundation
import Presentation
import Recording
import Reports
import TachogramCore

/// `baseline`: shows the usual values of a person, and compares the last week with them.
struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline", abstract: "Show a person's baseline, and how the last week compares with it.",
    discussion: """
      Computed from stored sessions: the baseline that stress is measured against, the median HRV and heart rate of \
      30 days, also by hour of the day, and readiness, which compares the ln RMSSD of 7 mornings with the normal \
      range of 60 days. A value without enough data is left out, and the output says what is missing.
      """)

  @Option(
    help: "The person who wore the strap. Default: sessions without a person.", transform: NameOption.stored)
  var person: String?

  @Option(help: "The last day, such as 2026-03-29. Default: today.", transform: Self.day)
  var date: CivilDay?

  @Option(
    help: "The time zone of days and hours, such as Europe/Berlin. Default: the machine's time zone.",
    transform: Self.zone)
  var timeZone: TimeZone?

  @OptionGroup var database: DatabaseOption

  @Option(help: "text or json.")
  var format = OutputFormat.text

  func validate() throws {
    if format == .ndjson { throw ValidationError("baseline does not support ndjson; use text or json.") }
  }

  func run() throws {
    let zone = timeZone ?? .current
    let now = WallTime(Date())
    let question = PersonBaselines.Question(
      person: person, day: date ?? LocalTime(of: now.date, in: zone).day,
      // The values of a day are those at its end.
      instant: date.map { Self.end(of: $0, in: zone) } ?? now, timeZone: zone)
    let database = try database.openForReading()
    let answer = try CommandFailure.wording { try PersonBaselines(question, from: database) }
    StandardStreams.out(format == .json ? try JSONOutput.line(BaselineReport(answer)) : BaselineText(answer).text)
  }

  private static func end(of day: CivilDay, in zone: TimeZone) -> WallTime {
    WallTime(day.advanced(by: 1).start(in: zone)).advanced(byMicroseconds: -1)
  }

  // MARK: - Arguments

  private static func day(_ text: String) throws -> CivilDay {
    guard let day = CivilDay(text: text) else {
      throw ValidationError("\"\(text)\" is not a valid date; use year, month and day, such as 2026-03-29.")
    }
    return day
  }

  private static func zone(_ text: String) throws -> TimeZone {
    guard let zone = TimeZone(identifier: text) else {
      throw ValidationError(
        "\"\(text)\" is not a known time zone; use a name such as Europe/Berlin, or UTC.")
    }
    return zone
  }
}
