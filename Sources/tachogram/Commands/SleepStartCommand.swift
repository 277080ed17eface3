import ArgumentParser
import CommandProcess
import Foundation
import Presentation
import Recording
import Repository
import TachogramCore

/// `sleep start`: begins a night in a running recording.
struct SleepStartCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: "Begin a night: the person goes to bed.",
    discussion: "A station or `tachogram record` must be recording the strap into the same database.")

  static let ending = Interrupt.Ending.storing

  @Argument(help: "The session that is being recorded. Default: the only one.")
  var session: String?

  @OptionGroup var database: DatabaseOption

  func perform() async throws {
    try CommandFailure.wording {
      try database.change(for: .writing) { database in
        let keeper = NightKeeper(database: database, timeZone: .current)
        let night = try NightText.wording {
          try keeper.begin(session, at: SystemTimeSource().now().wall, origin: .command)
        }
        let description = try SessionRepository(database: database).session(matching: night.session).description
        StandardStreams.out(
          "the night began at \(Timestamp.text(description.wall(night.lightsOff))); end it with "
            + "`tachogram sleep stop`\n")
      }
    }
  }
}
