import ArgumentParser
import CommandProcess
import Presentation
import Repository
import TachogramCore

/// `sessions mark`: names an instant of a session.
struct SessionMarkCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "mark", abstract: "Name an instant of a session, such as \"coffee\" or \"lights off\".",
    discussion: "The session may be one that is being recorded.")

  static let ending = Interrupt.Ending.storing

  @Argument(help: "The session, by its identifier or at least the first four characters of it.")
  var session: String

  @Argument(help: "The name of the instant.", transform: NameOption.name)
  var text: String

  @Option(help: "The time, such as 2026-03-29T01:02:03Z. Default: now.", transform: TimeOption.time)
  var at: WallTime?

  @OptionGroup var database: DatabaseOption

  func perform() async throws {
    let time = at ?? SystemTimeSource().now().wall
    try database.change(for: .writing) { database in
      let record = try SessionRepository(database: database).session(matching: session)
      let marker = try AnnotationRepository(database: database).mark(
        record.description.id, at: time, now: SystemTimeSource().now().wall, text)
      StandardStreams.out("\(marker.id)\n")
    }
  }
}
