import ArgumentParser
import CommandProcess
import Repository
import TachogramCore

/// `sleep forget`: makes the session of a night an ordinary one.
struct SleepForgetCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: "Make the session of a night an ordinary one again. Nothing recorded is deleted.")

  static let ending = Interrupt.Ending.storing

  @Argument(help: "The session, by its identifier or at least the first four characters of it.")
  var session: String

  @OptionGroup var database: DatabaseOption

  func perform() async throws {
    try CommandFailure.wording {
      try database.change(for: .writing) { database in
        let id = try SessionRepository(database: database).session(matching: session).description.id
        guard try SleepRepository(database: database).forget(id) else {
          throw CommandFailure("the session \(id) is not a night; `tachogram sleep list` lists nights")
        }
      }
    }
  }
}
