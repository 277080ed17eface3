import ArgumentParser
import CommandProcess
import Foundation
import Presentation
import Recording
import Reports
import TachogramCore

/// `baseline`: what is usual for a person, and how the last week compares with it.
struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline", abstract: "Tell what is usual for a person, and how the last week compares with it.",
    discussion: """
      From stored sessions: the baseline that stress is measured against, the usual HRV and heart rate of 30 days, \
      also by hour, and readiness: the ln RMSSD of 7 mornings against the normal range of 60 days. What has too little \
      to rest on is not given, and the answer says what is missing.
      """)

  @Option(
    help: "The person who wore the strap; else the sessions of nobody in particular.", transform: NameOption.stored)
  var person: String?

  @Option(help: "The last day, as in 2026-03-29; today by default.", transform: Self.day)
  var date: CivilDay?

  @Option(
    help: "The time zone of days and hours, as in Europe/Berlin; by default that of this machine.",
    transform: Self.zone)
  var timeZone: TimeZone?

  @OptionGroup var database: DatabaseOption

  @Option(help: "text or json.")
  var format = OutputFormat.text

  func validate() throws {
    if format == .ndjson { throw ValidationError("baseline has no event lines; use text or json.") }
  }

  func run() throws {
    let zone = timeZone ?? .current
    let now = WallTime(Date())
    let question = PersonBaselines.Question(
      person: person, day: date ?? LocalTime(of: now.date, in: zone).day,
      // A day is asked about as it was at its end.
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
      throw ValidationError("\"\(text)\" is no day of the calendar. Give year, month and day as in 2026-03-29.")
    }
    return day
  }

  private static func zone(_ text: String) throws -> TimeZone {
    guard let zone = TimeZone(identifier: text) else {
      throw ValidationError(
        "\"\(text)\" is no time zone that this machine knows. Give its name as in Europe/Berlin, or UTC.")
    }
    return zone
  }
}
