import ArgumentParser
import CommandProcess
import Presentation
import Recording
import Repository
import Sessions
import TachogramCore

/// `sessions split`: splits a session into two.
struct SessionSplitCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "split", abstract: "Split a session into two.",
    discussion: """
      The first notification at or after the time begins the second session. What was received is kept, and beats, HRV and \
      stress of both are derived again. A capture that is imported again is stored as one session again.
      """)

  static let ending = Interrupt.Ending.storing

  @Argument(help: "The session, by its identifier or at least the first four characters of it.")
  var session: String

  @Option(help: "The time, such as 2026-03-29T01:02:03Z.", transform: TimeOption.time)
  var at: WallTime

  @OptionGroup var database: DatabaseOption

  func perform() async throws {
    try database.change(for: .exclusive) { database in
      let record = try SessionRepository(database: database).session(matching: session)
      let second = try SessionEditor.alone(in: database).split(record, at: at)
      StandardStreams.out("\(record.description.id)\n\(second)\n")
    }
  }
}
